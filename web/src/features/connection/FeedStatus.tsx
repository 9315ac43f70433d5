import { useTranslation } from 'react-i18next'
import { useAppSelector } from '../../app/hooks'
import { selectConnectionStatus, selectFeed } from './connectionSelectors'
import styles from './FeedStatus.module.css'

/** A quiet word in the header that prices are live. */
export function FeedStatus() {
  const { t } = useTranslation()
  const isLive = useAppSelector((state) => selectConnectionStatus(state) === 'open' && selectFeed(state) === 'active')
  return isLive ? <span className={styles.live}>{t('oddsAreLive')}</span> : null
}
