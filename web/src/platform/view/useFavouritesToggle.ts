import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { sportFilterCleared } from '../preferences/preferencesSlice'
import { selectOpenMatchId, selectPage } from './viewSelectors'
import { matchClosed, pageOpened } from './viewSlice'

/** Switches between all matches and favourites. Both ways reset the sports filter. */
export function useFavouritesToggle(): () => void {
  const dispatch = useAppDispatch()
  const isShown = useAppSelector((state) => selectPage(state) === 'favourites' && selectOpenMatchId(state) === null)
  return () => {
    dispatch(sportFilterCleared())
    dispatch(pageOpened(isShown ? 'list' : 'favourites'))
    // A match opened from the favourites already has that page, so the match must be closed as well.
    dispatch(matchClosed())
  }
}
