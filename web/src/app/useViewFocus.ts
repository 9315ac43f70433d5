import { useEffect, useRef } from 'react'
import { afterPaint } from '../components/answerFirst'
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
    let isAgain = false
    // After the paint: to ask what is visible would lay out the whole view in the task that renders it.
    afterPaint(() => {
      const focused = document.activeElement
      if (isAgain || (focused && focused !== document.body && isSeen(focused))) {
        return
      }
      if (openMatchId !== null) {
        wantTitleFocus()
      } else if (left !== null) {
        focusMatch(left, 'match')
      }
    })
    return () => {
      isAgain = true
    }
  }, [openMatchId])
}
