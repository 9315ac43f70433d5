import { useAppSelector } from '../../app/hooks'
import { Banner } from '../../components/Banner'
import { useTranslation } from '../../i18n/useTranslation'
import { selectConnectionStatus, selectFeed } from './connectionSelectors'

/** Says that the connection is lost, or that the feed is being brought up to date, for as long as it is so. */
export function ConnectionBanner({ isOnline }: { isOnline?: boolean }) {
  const { t } = useTranslation()
  const status = useAppSelector(selectConnectionStatus)
  const feed = useAppSelector(selectFeed)
  // Each attempt in vain looks anew.
  const hasNetwork = useAppSelector(() => navigator.onLine)
  if (status === 'lost') {
    return (
      <Banner label={t('connection')} busy>
        {t((isOnline ?? hasNetwork) ? 'reconnecting' : 'offline')}
      </Banner>
    )
  }
  return feed === 'recovering' ? (
    <Banner label={t('connection')} busy>
      {t('feedRecovering')}
    </Banner>
  ) : null
}
