/** Decides which markets of a match are shown and in which order. Pure functions. */
import { fold } from '../../domain/fold'
import type { MarketGroup } from '../../platform/offer/offerSelectors'

/** The groups with the favourite types first; both parts keep their order. */
export function favouritesFirst(groups: readonly MarketGroup[], favourites: readonly number[]): readonly MarketGroup[] {
  if (favourites.length === 0) {
    return groups
  }
  const isFavourite = ({ type }: MarketGroup) => favourites.includes(type)
  return [...groups.filter(isFavourite), ...groups.filter((group) => !isFavourite(group))]
}

/** The groups with a name that contains every word of the query. */
export function findMarkets(groups: readonly MarketGroup[], query: string): readonly MarketGroup[] {
  const words = fold(query).split(' ').filter(Boolean)
  return words.length === 0
    ? groups
    : groups.filter(({ name }) => {
        const folded = fold(name ?? '')
        return words.every((word) => folded.includes(word))
      })
}
