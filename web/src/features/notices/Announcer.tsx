import { useAppSelector } from '../../app/hooks'
import { LiveRegion } from '../../components/LiveRegion'
import { useTranslation } from '../../i18n/useTranslation'
import { selectAnnouncement } from './announcementsSlice'

/** The only polite live region of the app. */
export function Announcer() {
  const { t } = useTranslation()
  const announcement = useAppSelector(selectAnnouncement)
  return <LiveRegion text={announcement ? t(announcement.key, announcement.values) : ''} />
}
