import { useAppSelector } from '../../app/hooks'
import { Banner } from '../../components/Banner'
import { useTranslation } from '../../i18n/useTranslation'
import { selectConnectionStatus, selectFeed } from '../../platform/connection/connectionSelectors'

/** The banner while the connection is lost or the feed is recovering. */
export function ConnectionBanner({ isOnline }: { isOnline?: boolean }) {
  const { t } = useTranslation()
  const status = useAppSelector(selectConnectionStatus)
  const feed = useAppSelector(selectFeed)
  // The selector runs again after each failed attempt.
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
