import { useState } from 'react'
import { canNote } from './systemNotes'

/** The browser's permission for notifications, and a function that asks for it if the user has not decided yet. */
export function useNotePermission(): readonly [NotificationPermission, () => Promise<NotificationPermission>] {
  const [permission, setPermission] = useState<NotificationPermission>(() =>
    canNote() ? Notification.permission : 'denied',
  )
  const ask = async () => {
    if (canNote() && Notification.permission === 'default') {
      await Notification.requestPermission()
    }
    const now = canNote() ? Notification.permission : 'denied'
    setPermission(now)
    return now
  }
  return [permission, ask]
}
