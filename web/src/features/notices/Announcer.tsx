import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { useAppSelector } from '../../app/hooks'
import { LiveRegion } from '../../components/LiveRegion'
import { useTopModal } from '../../components/topModal'
import { useTranslation } from '../../i18n/useTranslation'
import {
  type Announcement,
  selectAnnouncement,
  selectUrgentAnnouncement,
} from '../../platform/notices/announcementsSlice'

/** Screen readers need this long to notice a new region, and later the text in it. */
export const NOTICED_MS = 100

/**
 * The live regions of the app: a polite one, and an assertive one for outcomes of bets. While a modal dialog is open
 * they are inside the topmost one, because the rest of the page is inert.
 */
export function Announcer() {
  const modal = useTopModal()
  const polite = useAppSelector(selectAnnouncement)
  const urgent = useAppSelector(selectUrgentAnnouncement)
  const regions = (
    <>
      <Region announcement={polite} isDone={useIsDone(polite)} />
      <Region announcement={urgent} isDone={useIsDone(urgent)} isUrgent />
    </>
  )
  return modal ? createPortal(regions, modal) : regions
}

interface RegionProps {
  announcement: Announcement | null
  isDone: boolean
  isUrgent?: boolean | undefined
}

/** A live region. It is mounted again in another dialog, and does not repeat what was announced before. */
function Region({ announcement, isDone, isUrgent }: RegionProps) {
  const { t } = useTranslation()
  const [before] = useState(isDone ? announcement : null)
  const [isNoticed, setNoticed] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setNoticed(true), NOTICED_MS)
    return () => clearTimeout(timer)
  }, [])
  const isNew = isNoticed && announcement !== before
  return <LiveRegion text={isNew && announcement ? t(announcement.key, announcement.values) : ''} isUrgent={isUrgent} />
}

/** Whether the announcement was in a region long enough. */
function useIsDone(announcement: Announcement | null): boolean {
  const [done, setDone] = useState<Announcement | null>(null)
  useEffect(() => {
    const timer = setTimeout(() => setDone(announcement), 2 * NOTICED_MS)
    return () => clearTimeout(timer)
  }, [announcement])
  return done === announcement
}
