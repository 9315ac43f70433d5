import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { selectOpenMatchId, selectPage } from './viewSelectors'
import { matchClosed, pageOpened } from './viewSlice'

/** Switches between all matches and those with markets that are decided soon. The sports filter stays. */
export function useSoonToggle(): readonly [isShown: boolean, toggle: () => void] {
  const dispatch = useAppDispatch()
  const isShown = useAppSelector((state) => selectPage(state) === 'soon' && selectOpenMatchId(state) === null)
  return [
    isShown,
    () => {
      dispatch(pageOpened(isShown ? 'list' : 'soon'))
      // A match opened from this page already has it, so the match must be closed as well.
      dispatch(matchClosed())
    },
  ]
}
