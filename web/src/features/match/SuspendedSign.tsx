import { useEffect, useState } from 'react'
import { useAppSelector } from '../../app/hooks'
import { Icon } from '../../components/Icon'
import type { Market, MarketId } from '../../domain/offer'
import { useTranslation } from '../../i18n/useTranslation'
import { selectMarket } from '../../platform/offer/offerSelectors'
import styles from './SuspendedSign.module.css'

const MINUTE_MS = 60_000
const TICK_MS = 5000

/** When this page first showed a suspended market. A market that opens is another object. */
const shownSince = new WeakMap<Market, number>()

function sinceOf(market: Market | undefined): number {
  if (!market) {
    return 0
  }
  const since = shownSince.get(market) ?? Date.now()
  shownSince.set(market, since)
  return since
}

interface SuspendedSignProps {
  /** The markets of the card, all of them suspended. */
  marketIds: readonly MarketId[]
  /** Whether there is no room for the words beside the name in a card of usual width. */
  isTight: boolean
  /** Why, if that is known. */
  reason: string | null
}

/**
 * A lock and the word in the head of a card, after a minute with the minutes. Where the words would break the name into
 * more lines, only the lock is shown, in the corner: the cards below never move. A short reason stands in place of the
 * word; a long one is only in the title.
 */
export function SuspendedSign({ marketIds, isTight, reason }: SuspendedSignProps) {
  const { t } = useTranslation()
  const since = useAppSelector((state) => Math.max(...marketIds.map((id) => sinceOf(selectMarket(state, id)))))
  const minutes = useMinutesFrom(since)
  const words = minutes > 0 ? t('marketSuspendedFor', { minutes }) : t('marketSuspended')
  const text = reason ? `${words}: ${reason}` : words
  return (
    <span className={styles.sign} data-suspended={isTight ? 'tight' : ''} title={text}>
      <Icon name="lock" className={styles.lock} />
      <span className={styles.words} aria-hidden="true">
        {reason && reason.length <= words.length ? reason : words}
      </span>
      <span className="vh">{text}</span>
    </span>
  )
}

function useMinutesFrom(sinceMs: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, Math.floor((now - sinceMs) / MINUTE_MS))
}
