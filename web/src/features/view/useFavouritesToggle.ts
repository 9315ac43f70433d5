import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { sportFilterCleared } from '../preferences/preferencesSlice'
import { selectPage } from './viewSelectors'
import { pageOpened } from './viewSlice'

/** To the favourites and back; either way the filter by sport begins anew (specification, section 2). */
export function useFavouritesToggle(): () => void {
  const dispatch = useAppDispatch()
  const page = useAppSelector(selectPage)
  return () => {
    dispatch(sportFilterCleared())
    dispatch(pageOpened(page === 'favourites' ? 'list' : 'favourites'))
  }
}
