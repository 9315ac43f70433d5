/** Searches the offer: matches by team and tournament, and sports by name. Pure functions. */
import { fold } from '../../domain/fold'
import type { Match, MatchId, SportId } from '../../domain/offer'
import type { SportGroup, SportSummary } from '../../platform/offer/offerSelectors'

/** The most results; with more, another search word helps. */
export const FOUND_MAX = 30

export type Found =
  | { readonly kind: 'match'; readonly id: MatchId; readonly sportId: SportId; readonly tournament: string | null }
  | { readonly kind: 'sport'; readonly id: SportId; readonly name: string | null; readonly matchCount: number }

/** A searchable item with its normalised names, the most important first. */
export interface Entry {
  readonly found: Found
  readonly names: readonly string[]
  /** More text that is searched, with a lower rank than the names. */
  readonly around: string
}

/** All searchable items of an offer, in its order. */
export function entriesOf(
  groups: readonly SportGroup[],
  sports: readonly SportSummary[],
  match: (id: MatchId) => Pick<Match, 'home' | 'away'> | undefined,
): readonly Entry[] {
  const names = new Map(sports.map(({ id, name }) => [id, name]))
  const ofSports = sports.map(
    (sport): Entry => ({
      found: { kind: 'sport', ...sport },
      names: [fold(sport.name ?? '')],
      around: '',
    }),
  )
  const ofMatches = groups.flatMap(({ sportId, tournaments }) =>
    tournaments.flatMap((tournament) => {
      const around = fold([tournament.name, tournament.description, names.get(sportId)].filter(Boolean).join(' '))
      return tournament.matchIds.map((id): Entry => {
        const { home = null, away = null } = match(id) ?? {}
        return {
          found: { kind: 'match', id, sportId, tournament: tournament.name },
          names: [fold(home ?? ''), fold(away ?? '')],
          around,
        }
      })
    }),
  )
  return [...ofSports, ...ofMatches]
}

/** The items that contain all words of the query. Names that begin with it come first, then names with such a word. */
export function find(entries: readonly Entry[], query: string): readonly Found[] {
  const words = fold(query).split(' ').filter(Boolean)
  if (words.length === 0) {
    return []
  }
  const ranked = entries
    .map((entry, place) => ({ entry, place, rank: rankOf(entry, words) }))
    .filter(({ rank }) => rank !== null)
  ranked.sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0) || a.place - b.place)
  return ranked.slice(0, FOUND_MAX).map(({ entry }) => entry.found)
}

/** The rank of an item, lower is better; null if a word is not found. */
function rankOf({ names, around }: Entry, words: readonly string[]): number | null {
  let sum = 0
  for (const word of words) {
    const rank = Math.min(...names.map((name) => rankIn(name, word)), 3 + rankIn(around, word))
    if (rank === Number.POSITIVE_INFINITY) {
      return null
    }
    sum += rank
  }
  return sum
}

function rankIn(name: string, word: string): number {
  if (name.startsWith(word)) {
    return 0
  }
  if (name.includes(` ${word}`)) {
    return 1
  }
  // A single letter is inside nearly every name, so it must be at the beginning of a word.
  return word.length > 1 && name.includes(word) ? 2 : Number.POSITIVE_INFINITY
}
