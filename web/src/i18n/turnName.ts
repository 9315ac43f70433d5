import type { TranslationKey } from './keys'

/** What the side does whose turn it is, by sport, if it does not serve. */
const NAMES: Readonly<Record<number, TranslationKey>> = {
  3: 'trackerBats',
  19: 'trackerAtTable',
  21: 'trackerBats',
  22: 'trackerThrows',
}

/** The text for the side whose turn it is: serving, batting, throwing or playing. */
export function turnName(sportId: number): TranslationKey {
  return NAMES[sportId] ?? 'serves'
}
