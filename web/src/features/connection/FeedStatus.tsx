import { useCallback, useSyncExternalStore } from 'react'
import { useAppSelector } from '../../app/hooks'
import { Icon } from '../../components/Icon'
import { useTranslation } from '../../i18n/useTranslation'
import { selectConnectionStatus, selectFeed, selectServerOffset } from '../../platform/connection/connectionSelectors'
import { selectFeedDate } from '../../platform/offer/offerSelectors'
import { ageToTell } from './dataAge'
import styles from './FeedStatus.module.css'

const TICK_MS = 1000

/** In the header: that prices are live, or how old they are if they are not current. */
export function FeedStatus() {
  const { t } = useTranslation()
  const isOpen = useAppSelector((state) => selectConnectionStatus(state) === 'open')
  const isLive = useAppSelector((state) => selectFeed(state) === 'active') && isOpen
  const seconds = useAge()
  if (seconds !== null && isOpen) {
    return (
      <span className={styles.old} data-age={seconds}>
        <Icon name="clock" size="s" />
        <span className={styles.words}>{t('dataAge', { count: seconds })}</span>
        <span className={styles.short} aria-hidden="true">
          {t('dataAgeShort', { count: seconds })}
        </span>
      </span>
    )
  }
  return isLive ? <span className={styles.live}>{t('oddsAreLive')}</span> : null
}

function useAge(): number | null {
  const dateMs = useAppSelector(selectFeedDate)
  const offset = useAppSelector(selectServerOffset)
  const snapshot = useCallback(() => ageToTell(dateMs, Date.now() + offset), [dateMs, offset])
  return useSyncExternalStore(everySecond, snapshot)
}

function everySecond(listener: () => void): () => void {
  const timer = window.setInterval(listener, TICK_MS)
  return () => window.clearInterval(timer)
}
