import { useLayoutEffect } from 'react'

/** How far the list was scrolled when it was last shown. */
let scrollY = 0

/** Coming back to the list finds it where it was left. */
export function useRememberedScroll(isShown: boolean): void {
  useLayoutEffect(() => {
    if (!isShown) {
      return
    }
    window.scrollTo(0, scrollY)
    // Followed: to read it when the list is left would lay out the page once more.
    const follow = () => {
      scrollY = window.scrollY
    }
    window.addEventListener('scroll', follow, { passive: true })
    return () => window.removeEventListener('scroll', follow)
  }, [isShown])
}
