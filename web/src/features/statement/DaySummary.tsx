import { useEffect, useState } from 'react'
import { fetchWholeStatement } from '../../api/statementApi'
import { useAppSelector } from '../../app/hooks'
import { useTranslation } from '../../i18n/useTranslation'
import { selectUser } from '../../platform/account/accountSlice'
import { useMoney } from '../../platform/account/useMoney'
import { useLoaded } from '../../platform/loading/useLoaded'
import { usePageLink } from '../../platform/view/useMatchLink'
import styles from './DaySummary.module.css'
import { daySums } from './daySums'

const MINUTE_MS = 60_000
/** Shown while the sums are not known. */
const UNKNOWN = '–'

/** What the bettor has staked and got back today; the statement has the entries. */
export function DaySummary() {
  const user = useAppSelector(selectUser)
  return user && <Day key={user.name} balance={user.balance} />
}

/** A changed balance is the sign of new entries. */
function Day({ balance }: { balance: string }) {
  const { t } = useTranslation()
  const money = useMoney()
  const statement = usePageLink('statement')
  const from = useMidnight()
  const { loaded } = useLoaded(
    async (signal) => ({ from, sums: daySums(await fetchWholeStatement({ from, to: null }, signal)) }),
    [from, balance],
    { stays: true },
  )
  const sums = loaded.status === 'ready' && loaded.value.from === from ? loaded.value.sums : null
  const result = sums && `${sums.result.startsWith('-') || /^0\.00$/.test(sums.result) ? '' : '+'}${money(sums.result)}`
  return (
    <section className={styles.day} aria-label={t('daySummary')} aria-busy={loaded.status === 'loading'}>
      <p className={styles.title}>
        <b>{t('daySummary')}</b>
        <small className={styles.count}>{sums && t('dayBets', { count: sums.bets })}</small>
      </p>
      <dl className={styles.sums}>
        <Sum name={t('dayStaked')} value={sums ? money(sums.staked) : UNKNOWN} />
        <Sum name={t('dayReturned')} value={sums ? money(sums.returned) : UNKNOWN} />
        <Sum name={t('realityResult')} value={result ?? UNKNOWN} />
      </dl>
      <a className={styles.link} {...statement}>
        {t('statement')}
      </a>
    </section>
  )
}

function Sum({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt className={styles.name}>{name}</dt>
      <dd className={styles.sum}>{value}</dd>
    </div>
  )
}

/** The start of the day in local time. It changes at midnight. */
function useMidnight(): number {
  const [midnight, setMidnight] = useState(midnightNow)
  useEffect(() => {
    const timer = window.setInterval(() => setMidnight(midnightNow()), MINUTE_MS)
    return () => window.clearInterval(timer)
  }, [])
  return midnight
}

const midnightNow = () => new Date().setHours(0, 0, 0, 0)
