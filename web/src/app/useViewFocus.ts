import { useEffect, useRef } from 'react'
import { isSeen } from '../components/isSeen'
import type { MatchId } from '../domain/offer'
import { wantTitleFocus } from '../features/match/matchTitle'
import { focusMatch } from '../features/offer/useToggleHidden'

/**
 * Takes the focus along when the view changes, as a page load would: to the title of an opened match, and back to the
 * row it was opened from. What still has the focus keeps it, such as the strip by which one goes from match to match.
 */
export function useViewFocus(openMatchId: MatchId | null): void {
  const previous = useRef(openMatchId)
  useEffect(() => {
    const left = previous.current
    previous.current = openMatchId
    if (left === openMatchId) {
      return
    }
    if (openMatchId !== null) {
      window.scrollTo(0, 0)
    }
    // What was hidden together with the list loses the focus only at the next paint.
    const focused = document.activeElement
    if (focused && focused !== document.body && isSeen(focused)) {
      return
    }
    if (openMatchId !== null) {
      wantTitleFocus()
      return
    }
    // The rows of the list are mounted once it knows where it is scrolled to.
    const frame = window.requestAnimationFrame(() => left !== null && focusMatch(left, 'match'))
    return () => window.cancelAnimationFrame(frame)
  }, [openMatchId])
}
