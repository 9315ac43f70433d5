import type { MatchId } from '../../domain/offer'
import { remember } from '../../domain/sharing'
import type { FavouritesState } from './favouritesSlice'

interface State {
  readonly favourites: FavouritesState
}

const favourites = remember(
  (told: FavouritesState['told'], markings: FavouritesState['markings']): ReadonlySet<MatchId> => {
    const ids = new Set(told)
    for (const { matchId, on } of markings) {
      ids[on ? 'add' : 'delete'](matchId)
    }
    return ids
  },
)

/** The favourite matches, including those that are not in the offer now. */
export const selectFavourites = (state: State) => favourites(state.favourites.told, state.favourites.markings)
export const selectIsFavourite = (state: State, id: MatchId) => selectFavourites(state).has(id)
