import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { fetchStatement, fetchStatementCsv, type Period, type StatementEntry } from '../../api/statementApi'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { Button } from '../../components/Button'
import { cx } from '../../components/cx'
import { RadioChips } from '../../components/RadioChips'
import { Spinner } from '../../components/Spinner'
import { usePageTitle } from '../../components/usePageTitle'
import { formatDateTime } from '../../i18n/locale'
import { useTranslation } from '../../i18n/useTranslation'
import { selectUser } from '../../platform/account/accountSlice'
import { useLoginRequired } from '../../platform/account/useLoginRequired'
import { useMoney } from '../../platform/account/useMoney'
import { usePages } from '../../platform/loading/usePages'
import { noticeShown } from '../../platform/notices/noticesSlice'
import { selectLanguage } from '../../platform/preferences/preferencesSelectors'
import { betAsked } from '../../platform/view/requests'
import { usePageLink } from '../../platform/view/useMatchLink'
import { periodOf, SPANS, type Span } from './period'
import styles from './StatementPage.module.css'

/** The entries of each filter; null means all. */
const KINDS = {
  all: null,
  stake: ['stake'],
  payout: ['payout', 'cash_out'],
  refund: ['refund'],
  correction: ['correction', 'receivable'],
  money: ['opening', 'deposit', 'withdrawal'],
} as const
type Kind = keyof typeof KINDS

const KIND_TEXTS = {
  all: 'all',
  stake: 'entry_stake',
  payout: 'entry_payout',
  refund: 'entry_refund',
  correction: 'corrections',
  money: 'statement_money',
} as const

const ENTRY_KINDS = [
  'opening',
  'deposit',
  'withdrawal',
  'stake',
  'payout',
  'refund',
  'cash_out',
  'correction',
  'receivable',
] as const

/** The ledger of the account, newest first, by period and kind. */
export function StatementPage() {
  const { t } = useTranslation()
  const [span, setSpan] = useState<Span>('30')
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const [kind, setKind] = useState<Kind>('all')
  const id = useId()
  usePageTitle(t('statement'))
  const period = useMemo(() => periodOf(span, from, to, Date.now()), [span, from, to])
  const textOf = (each: Span) =>
    each === 'all'
      ? t('statementAllTime')
      : each === 'dates'
        ? t('statementDates')
        : t('statementDays', { count: Number(each) })
  return (
    <>
      <div className={styles.bar}>
        <h1 className={styles.title}>{t('statement')}</h1>
        <Download period={period} />
      </div>
      <RadioChips
        label={t('statementPeriod')}
        className={styles.filter}
        chips={SPANS.map((value) => ({ value, text: textOf(value) }))}
        value={span}
        onChange={setSpan}
      />
      {span === 'dates' && (
        <div className={styles.dates}>
          <label className={styles.date} htmlFor={`${id}-from`}>
            <span>{t('statementFrom')}</span>
            <input id={`${id}-from`} type="date" max={to} value={from} onChange={(e) => setFrom(e.target.value)} />
          </label>
          <label className={styles.date} htmlFor={`${id}-to`}>
            <span>{t('statementTo')}</span>
            <input id={`${id}-to`} type="date" min={from} value={to} onChange={(e) => setTo(e.target.value)} />
          </label>
        </div>
      )}
      <RadioChips
        label={t('statementKinds')}
        className={styles.filter}
        chips={(Object.keys(KINDS) as Kind[]).map((value) => ({ value, text: t(KIND_TEXTS[value]) }))}
        value={kind}
        onChange={setKind}
      />
      <Entries period={period} kind={kind} />
    </>
  )
}

function Entries({ period, kind }: { period: Period; kind: Kind }) {
  const { t } = useTranslation()
  const user = useAppSelector(selectUser)
  const balance = user?.balance
  const key = JSON.stringify([period, user?.name])
  const fetchPage = async (cursor: string | null, signal: AbortSignal) => {
    const page = await fetchStatement(period, cursor, signal)
    return { items: page.entries, next: page.next }
  }
  const { status, items, next, added, isStale, more, refresh } = usePages(key, fetchPage, useLoginRequired())
  /** The balance for which the entries were loaded. */
  const loadedFor = useRef(balance)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list is loaded for the balance of now.
  useEffect(() => {
    loadedFor.current = balance
  }, [key])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed balance is the sign of new entries.
  useEffect(() => {
    if (loadedFor.current !== balance) {
      loadedFor.current = balance
      refresh(isEqual)
    }
  }, [balance])

  const wanted: readonly string[] | null = KINDS[kind]
  const shown = items
    .map((entry, place) => ({ entry, key: place - added }))
    .filter(({ entry }) => wanted === null || wanted.includes(entry.kind))
  const isMissing = shown.length === 0 && status === 'ready' && next !== null
  // biome-ignore lint/correctness/useExhaustiveDependencies: if no loaded entry is of the kind, older pages may have one.
  useEffect(() => {
    if (isMissing) {
      more()
    }
  }, [isMissing])
  return (
    <div aria-busy={status === 'loading'}>
      {shown.length > 0 && <Table rows={shown} />}
      {shown.length === 0 && status === 'ready' && !isMissing && <p className={styles.none}>{t('statementNone')}</p>}
      {(status === 'loading' || isMissing) && (
        <p className={styles.loading}>
          <Spinner />
          <span>{t('loading')}</span>
        </p>
      )}
      {(status === 'failed' || isStale) && (
        <div className={styles.failed} role="alert">
          <p>{t('statementFailed')}</p>
          <Button onClick={() => (isStale ? refresh(isEqual) : more())}>{t('tryAgain')}</Button>
        </div>
      )}
      {status === 'ready' && next !== null && shown.length > 0 && (
        <Button className={styles.older} onClick={more}>
          {t('statementOlder')}
        </Button>
      )}
    </div>
  )
}

/** Entries have no id. */
function isEqual(a: StatementEntry, b: StatementEntry): boolean {
  return (
    a.at === b.at && a.kind === b.kind && a.amount === b.amount && a.balance === b.balance && a.ticketId === b.ticketId
  )
}

interface Row {
  readonly key: number
  readonly entry: StatementEntry
}

function Table({ rows }: { rows: readonly Row[] }) {
  const { t } = useTranslation()
  const money = useMoney()
  const language = useAppSelector(selectLanguage)
  const nameOf = (kind: string) => {
    const known = ENTRY_KINDS.find((each) => each === kind)
    return t(known ? `entry_${known}` : 'entryUnknown')
  }
  return (
    <div className={styles.room}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('statementWhen')}</th>
            <th scope="col">{t('statementWhat')}</th>
            <th scope="col" className={styles.amount}>
              {t('statementAmount')}
            </th>
            <th scope="col" className={styles.amount}>
              {t('statementBalance')}
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, entry }) => (
            <tr key={key}>
              <td className={styles.when}>{formatDateTime(language, entry.at)}</td>
              <td>
                <span>{nameOf(entry.kind)}</span>
                {entry.ticketId && <TicketLink ticketId={entry.ticketId} number={entry.ticketNumber} />}
              </td>
              <td className={cx(styles.amount, entry.amount.startsWith('-') ? styles.out : styles.in)}>
                {entry.amount.startsWith('-') ? money(entry.amount) : `+${money(entry.amount)}`}
              </td>
              <td className={styles.amount}>{money(entry.balance)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Opens the bet of an entry. An older server sends no number; then the link has none. */
function TicketLink({ ticketId, number }: { ticketId: string; number: string | null }) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { href, onClick } = usePageLink('bets')
  return (
    <a
      className={styles.number}
      href={href}
      onClick={(event) => {
        onClick(event)
        // A plain click; any other opens a new tab.
        if (event.defaultPrevented) {
          dispatch(betAsked(ticketId))
        }
      }}
    >
      {number ?? t('ticket')}
    </a>
  )
}

/** Downloads the whole period, of all kinds. */
function Download({ period }: { period: Period }) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const [isBusy, setBusy] = useState(false)
  const download = async () => {
    if (isBusy) {
      return
    }
    setBusy(true)
    try {
      const csv = await fetchStatementCsv(period)
      const url = URL.createObjectURL(new Blob([csv], { type: 'text/csv' }))
      const link = Object.assign(document.createElement('a'), { href: url, download: 'kvota.csv' })
      link.click()
      URL.revokeObjectURL(url)
    } catch {
      dispatch(noticeShown('statementCsvFailed'))
    }
    setBusy(false)
  }
  return (
    <Button className={styles.download} onClick={() => void download()} aria-disabled={isBusy}>
      {t('statementCsv')}
    </Button>
  )
}
