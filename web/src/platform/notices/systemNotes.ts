/** System notifications, which the features show while the page is hidden. */

/** The part of the browser that is used; tests replace it. */
export interface NoteWorld {
  readonly isAllowed: () => boolean
  /** Shows a notification. A later one with the same `tag` replaces it. */
  readonly show: (title: string, note: { body: string; tag: string; href: string }) => void
}

/** Whether the browser supports notifications. */
export function canNote(): boolean {
  return 'Notification' in window
}

/** The browser's implementation. It uses the service worker, because phones allow nothing else. */
export const BROWSER_NOTES: NoteWorld = {
  isAllowed: () => canNote() && Notification.permission === 'granted',
  show: (title, { body, tag, href }) => {
    const options = { body, tag, icon: '/icon-192.png', data: { href } }
    void navigator.serviceWorker?.getRegistration().then((registration) => {
      if (registration?.active) {
        return registration.showNotification(title, options)
      }
      new Notification(title, options).onclick = () => window.focus()
      return undefined
    })
  },
}
