import { useEffect } from 'react'

/** Names the page in the browser's tab, its history, and to screen readers; one that is not shown gives no name. */
export function usePageTitle(title: string | false): void {
  useEffect(() => {
    if (title) {
      document.title = `${title} – kvota`
    }
  }, [title])
}
