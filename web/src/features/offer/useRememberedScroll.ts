import { useLayoutEffect } from 'react'

/** How far the list was scrolled when it was last left for a match. */
let scrollY = 0

/** Coming back to the list finds it where it was left. */
export function useRememberedScroll(isShown: boolean): void {
  useLayoutEffect(() => {
    if (!isShown) {
      return
    }
    window.scrollTo(0, scrollY)
    return () => {
      scrollY = window.scrollY
    }
  }, [isShown])
}
