/**
 * A provider's feed has market ids and outcome ids as the types of its markets and odds (CONTRACT 10). In kvota's
 * catalogue the same numbers are other markets: 10 is double chance there, and both teams to score here.
 */
import { mayBeOutcomeId } from './outcomeId'

interface Typed {
  readonly marketName: string
  readonly marketType: number | null
  /** Null if it is not known, as in a bet from an older server. */
  readonly oddType: string | null
  readonly oddName: string
}

/** kvota's type of the provider's markets that mean the same. All others have none. */
const OWN_TYPES: Readonly<Record<number, number>> = {
  // The result, double chance, and both teams to score.
  1: 1,
  10: 2,
  29: 10,
  // The winner, whatever it takes.
  186: 60,
  219: 60,
  251: 60,
  406: 60,
  // Handicaps and totals: of the ordinary time, and with all that follows.
  16: 9,
  223: 9,
  256: 9,
  18: 18,
  225: 18,
  258: 18,
}

/** The names in kvota's feed of the outcomes of these markets. */
const OWN_NAMES: Readonly<Record<string, string>> = {
  1: '1',
  2: 'X',
  3: '2',
  4: '1',
  5: '2',
  9: '1X',
  10: '12',
  11: 'X2',
  12: 'over',
  13: 'under',
  74: 'yes',
  76: 'no',
  1714: '1',
  1715: '2',
}

/**
 * Whether a pair is of a provider's feed: its odd has an outcome id, and so a name of its own, the full one with its
 * line. Without a description the market is called `market 18`, and the outcome by its id.
 */
export function isOfProvider({ marketName, marketType, oddType, oddName }: Typed): boolean {
  const hasFullName = oddType !== null && oddType !== oddName && mayBeOutcomeId(oddType)
  return hasFullName || marketName === `market ${marketType}`
}

/** kvota's type of a provider's market; null if there is none. */
export function ownType(marketType: number | null): number | null {
  return OWN_TYPES[marketType ?? 0] ?? null
}

/** A pair in the terms of kvota's catalogue: the same pair, or that of a provider with kvota's type and name. */
export function inOwnTerms<P extends Typed>(pair: P): P {
  const { marketType, oddType, oddName } = pair
  return isOfProvider(pair)
    ? { ...pair, marketType: ownType(marketType), oddName: OWN_NAMES[oddType ?? ''] ?? oddName }
    : pair
}
