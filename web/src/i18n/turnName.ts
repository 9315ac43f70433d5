import type { TranslationKey } from './keys'

/** What a side does during its turn, by sport, if it does not serve. */
const NAMES: Readonly<Record<number, TranslationKey>> = {
  3: 'trackerBats',
  19: 'trackerAtTable',
  21: 'trackerBats',
  22: 'trackerThrows',
}

/** The text for the side that is serving, batting, throwing or playing. */
export function turnName(sportId: number): TranslationKey {
  return NAMES[sportId] ?? 'serves'
}
