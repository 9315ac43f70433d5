import { useEffect, useId, useMemo, useRef, useState } from 'react'
import { ApiError } from '../../api/request'
import {
  fetchStatement,
  fetchStatementCsv,
  type Period,
  type StatementPage as StatementAnswer,
  type StatementEntry,
} from '../../api/statementApi'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { Button } from '../../components/Button'
import { cx } from '../../components/cx'
import { RadioChips } from '../../components/RadioChips'
import { Spinner } from '../../components/Spinner'
import { usePageTitle } from '../../components/usePageTitle'
import { formatDateTime } from '../../i18n/locale'
import { useTranslation } from '../../i18n/useTranslation'
import { selectUser, strangerSeen } from '../../platform/account/accountSlice'
import { useMoney } from '../../platform/account/useMoney'
import { noticeShown } from '../../platform/notices/noticesSlice'
import { selectLanguage } from '../../platform/preferences/preferencesSelectors'
import { betAsked } from '../../platform/view/requests'
import { usePageLink } from '../../platform/view/useMatchLink'
import { loginRequired } from '../../platform/view/viewSlice'
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

interface Loaded {
  readonly status: 'loading' | 'ready' | 'failed'
  readonly entries: readonly StatementEntry[]
  readonly next: string | null
  /** How many of the entries were added in front of the first page. */
  readonly added: number
  /** Whether new entries could not be loaded. */
  readonly isStale: boolean
}

const NOTHING: Loaded = { status: 'loading', entries: [], next: null, added: 0, isStale: false }

function Entries({ period, kind }: { period: Period; kind: Kind }) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const user = useAppSelector(selectUser)
  const balance = user?.balance
  const [{ status, entries, next, added, isStale }, setLoaded] = useState(NOTHING)
  /** The latest requests for a page of the table and for new entries. Answers to earlier ones are ignored. */
  const paging = useRef<AbortController | null>(null)
  const refreshing = useRef<AbortController | null>(null)
  /** The balance for which the entries were loaded. */
  const loadedFor = useRef(balance)
  const fetchPage = async (
    latest: typeof paging,
    cursor: string | null,
    onPage: (page: StatementAnswer) => void,
    onFailed: () => void,
  ) => {
    latest.current?.abort()
    const giveUp = new AbortController()
    latest.current = giveUp
    try {
      const page = await fetchStatement(period, cursor, giveUp.signal)
      giveUp.signal.throwIfAborted()
      onPage(page)
    } catch (error) {
      if (giveUp.signal.aborted) {
        return
      }
      if (error instanceof ApiError && error.failure === 'unauthorised') {
        dispatch(strangerSeen())
        dispatch(loginRequired())
      } else {
        onFailed()
      }
    }
  }
  /** Loads the page at a cursor and puts it at the end; without a cursor, starts again. */
  const load = (cursor: string | null) => {
    setLoaded((held) => (cursor === null ? NOTHING : { ...held, status: 'loading' }))
    void fetchPage(
      paging,
      cursor,
      (page) =>
        setLoaded((held) => ({
          ...held,
          status: 'ready',
          entries: [...held.entries, ...page.entries],
          next: page.next,
        })),
      () => setLoaded((held) => ({ ...held, status: 'failed' })),
    )
  }
  /** Loads the first page and puts its new entries in front. The table stays. */
  const refresh = () => {
    const [first] = entries
    if (!first) {
      load(null)
      return
    }
    void fetchPage(
      refreshing,
      null,
      (page) => {
        const count = page.entries.findIndex((entry) => isEqual(entry, first))
        if (count === -1) {
          // More entries are new than a page has.
          load(null)
          return
        }
        setLoaded((held) => ({
          ...held,
          entries: [...page.entries.slice(0, count), ...held.entries],
          added: held.added + count,
          isStale: false,
        }))
      },
      () => setLoaded((held) => ({ ...held, isStale: true })),
    )
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: starts again only for another period or user.
  useEffect(() => {
    loadedFor.current = balance
    load(null)
    return () => {
      paging.current?.abort()
      refreshing.current?.abort()
    }
  }, [period, user?.name])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed balance is the sign of new entries.
  useEffect(() => {
    if (loadedFor.current !== balance) {
      loadedFor.current = balance
      refresh()
    }
  }, [balance])

  const wanted: readonly string[] | null = KINDS[kind]
  const shown = entries
    .map((entry, place) => ({ entry, key: place - added }))
    .filter(({ entry }) => wanted === null || wanted.includes(entry.kind))
  const isMissing = shown.length === 0 && status === 'ready' && next !== null
  // biome-ignore lint/correctness/useExhaustiveDependencies: if no loaded entry is of the kind, older pages may have one.
  useEffect(() => {
    if (isMissing) {
      load(next)
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
          <Button onClick={() => (isStale ? refresh() : load(next))}>{t('tryAgain')}</Button>
        </div>
      )}
      {status === 'ready' && next !== null && shown.length > 0 && (
        <Button className={styles.older} onClick={() => load(next)}>
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
