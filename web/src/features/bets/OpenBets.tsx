import { type ReactNode, useState } from 'react'
import { useAppSelector } from '../../app/hooks'
import { Button } from '../../components/Button'
import { Skeleton } from '../../components/Skeleton'
import type { Bet } from '../../domain/bet'
import { useTranslation } from '../../i18n/useTranslation'
import { usePageLink } from '../../platform/view/useMatchLink'
import { BetCard } from './BetCard'
import { openBets } from './betLists'
import styles from './OpenBets.module.css'
import { useBetPages } from './useBetPages'

const SHOWN_STEP = 20

/** The open bets with how their pairs stand now, for the ticket column. */
export function OpenBets({ cashOutOf }: { cashOutOf: (bet: Bet) => ReactNode }) {
  const { t } = useTranslation()
  const { known, held } = useAppSelector((state) => state.bets)
  const [most, setMost] = useState(SHOWN_STEP)
  const { status, items, next, more } = useBetPages('open', known)
  const bets = openBets(held, items)
  const shown = bets.slice(0, most)
  const hasOlder = status === 'ready' && (next !== null || shown.length < bets.length)
  return (
    <div className={styles.bets} aria-busy={status === 'loading'}>
      {shown.length === 0 && status === 'ready' && (
        <div className={styles.none}>
          <b className={styles.title}>{t('betsNoOpen')}</b>
          <p>{t('openBetsNoneText')}</p>
        </div>
      )}
      <ul>
        {shown.map((bet) => (
          <li key={bet.ticketId}>
            <BetCard bet={bet} isOpenAtFirst={false} hasPairs cashOut={cashOutOf(bet)} />
          </li>
        ))}
      </ul>
      {status === 'loading' && <Skeleton className={styles.bone} />}
      {status === 'failed' && (
        <div className={styles.none} role="alert">
          <p>{t('betsFailed')}</p>
          <Button onClick={more}>{t('tryAgain')}</Button>
        </div>
      )}
      {hasOlder && (
        <Button onClick={() => (shown.length < bets.length ? setMost(most + SHOWN_STEP) : more())}>
          {t('olderBets')}
        </Button>
      )}
      <a className={styles.all} {...usePageLink('bets')}>
        {t('openBetsAll')}
      </a>
    </div>
  )
}
