import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { selectOpenMatchId, selectPage } from './viewSelectors'
import { matchClosed, pageOpened } from './viewSlice'
import type { FilterPage } from './viewUrl'

/** The shown page of those that filter all matches by time; null in a match or on another page. */
export function useFilterPage(): FilterPage | null {
  return useAppSelector((state) => {
    const page = selectPage(state)
    return selectOpenMatchId(state) === null && (page === 'soon' || page === 'starting' || page === 'ended')
      ? page
      : null
  })
}

/** Switches between all matches and one of these pages. The sports filter stays. */
export function useFilterToggle(): (page: FilterPage) => void {
  const dispatch = useAppDispatch()
  const shown = useFilterPage()
  return (page) => {
    dispatch(pageOpened(shown === page ? 'list' : page))
    // A match opened from this page already has it, so the match must be closed as well.
    dispatch(matchClosed())
  }
}
