import type { TranslationKey } from './keys'

/** What the field `game` of a match counts, by sport. */
const NAMES: Readonly<Record<number, TranslationKey>> = {
  5: 'scoreGame',
  21: 'trackerWickets',
  22: 'trackerLeft',
}

/** The name of what the field `game` of a match counts: games have tie-breaks only in tennis. */
export function gameName(sportId: number, isTiebreak: boolean | null = false): TranslationKey {
  return isTiebreak === true ? 'scoreTiebreak' : (NAMES[sportId] ?? 'trackerPoints')
}
