import { useEffect } from 'react'

/** Sets the document title. A page that is not visible passes false and sets nothing. */
export function usePageTitle(title: string | false): void {
  useEffect(() => {
    if (title) {
      document.title = `${title} – kvota`
    }
  }, [title])
}
