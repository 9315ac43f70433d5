import { useAppDispatch, useAppSelector } from '../../app/hooks'
import type { MatchId } from '../../domain/offer'
import { selectIsFavourite } from './favouritesSelectors'
import { favouriteMarked } from './favouritesSlice'

/** Whether a match is a favourite, and a function that toggles it. */
export function useFavourite(matchId: MatchId): readonly [isFavourite: boolean, toggle: () => void] {
  const dispatch = useAppDispatch()
  const isFavourite = useAppSelector((state) => selectIsFavourite(state, matchId))
  return [isFavourite, () => dispatch(favouriteMarked(matchId, !isFavourite))]
}
