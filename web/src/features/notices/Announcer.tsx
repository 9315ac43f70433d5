import { useAppSelector } from '../../app/hooks'
import { LiveRegion } from '../../components/LiveRegion'
import { useTranslation } from '../../i18n/useTranslation'
import {
  type Announcement,
  selectAnnouncement,
  selectUrgentAnnouncement,
} from '../../platform/notices/announcementsSlice'

/** The live regions of the app: a polite one, and an assertive one for outcomes of bets. */
export function Announcer() {
  const { t } = useTranslation()
  const textOf = (announcement: Announcement | null) => (announcement ? t(announcement.key, announcement.values) : '')
  return (
    <>
      <LiveRegion text={textOf(useAppSelector(selectAnnouncement))} />
      <LiveRegion text={textOf(useAppSelector(selectUrgentAnnouncement))} isUrgent />
    </>
  )
}
