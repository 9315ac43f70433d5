import { flushSync } from 'react-dom'
import { useAppDispatch } from '../../app/hooks'
import { afterPaint } from '../../components/answerFirst'
import type { MatchId } from '../../domain/offer'
import { matchHiddenToggled } from '../../platform/view/viewSlice'

/** Hides a match or shows it again, and takes the focus along to what stands in its place. */
export function useToggleHidden() {
  const dispatch = useAppDispatch()
  return (matchId: MatchId) => {
    flushSync(() => dispatch(matchHiddenToggled(matchId)))
    focusMatch(matchId, 'hide')
  }
}

/** Focuses a cell of a match's row, or its first where it has no such cell; a row that is still empty, once it is filled. */
export function focusMatch(matchId: MatchId, cell: string): void {
  const row = document.querySelector(`[data-row][data-match-id="${matchId}"]`)
  const found =
    row?.querySelector<HTMLElement>(`[data-cell="${cell}"]`) ?? row?.querySelector<HTMLElement>('[data-cell]')
  if (row && !found && document.activeElement === document.body) {
    afterPaint(() => focusMatch(matchId, cell))
  }
  found?.focus({ preventScroll: true })
}
