import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { sportFilterCleared } from '../preferences/preferencesSlice'
import { selectOpenMatchId, selectPage } from './viewSelectors'
import { matchClosed, pageOpened } from './viewSlice'

/** To the favourites and back; either way the filter by sport begins anew (specification, section 2). */
export function useFavouritesToggle(): () => void {
  const dispatch = useAppDispatch()
  const isShown = useAppSelector((state) => selectPage(state) === 'favourites' && selectOpenMatchId(state) === null)
  return () => {
    dispatch(sportFilterCleared())
    dispatch(pageOpened(isShown ? 'list' : 'favourites'))
    // Of a match that was opened from there the page is the favourites' already.
    dispatch(matchClosed())
  }
}
