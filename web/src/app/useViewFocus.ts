import { useEffect, useRef } from 'react'
import { isSeen } from '../components/isSeen'
import type { MatchId } from '../domain/offer'
import { wantTitleFocus } from '../features/match/matchTitle'
import { focusMatch } from '../features/offer/useToggleHidden'

/**
 * Moves the focus when the view changes: to the title of an opened match, and back to its row when it is closed. An
 * element that is still visible keeps the focus, for example a link of the match strip.
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
    // An element that was hidden with the list loses the focus only at the next paint.
    const focused = document.activeElement
    if (focused && focused !== document.body && isSeen(focused)) {
      return
    }
    if (openMatchId !== null) {
      wantTitleFocus()
      return
    }
    // The list mounts its rows only after it knows its scroll position.
    const frame = window.requestAnimationFrame(() => left !== null && focusMatch(left, 'match'))
    return () => window.cancelAnimationFrame(frame)
  }, [openMatchId])
}
