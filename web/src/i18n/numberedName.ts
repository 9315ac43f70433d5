import type { TranslationKey } from './keys'

type Kinds = Readonly<Record<number, TranslationKey>>

const GOALS: Kinds = { 7: 'numberedGoal', 70: 'numberedRace' }
const QUARTERS: Kinds = { 110: 'numberedQuarter', 123: 'numberedQuarter' }
const SCORES: Kinds = { 7: 'numberedScore', 122: 'numberedRace', 124: 'numberedScore' }

/** What the number of a market counts, by sport and market type. */
const BY_SPORT: Readonly<Record<number, Kinds>> = {
  1: { 7: 'numberedGoal', 42: 'numberedCorner', 65: 'numberedGoal' },
  2: { ...QUARTERS, 122: 'numberedRace' },
  3: { 7: 'numberedRun', 137: 'numberedInning', 138: 'numberedInning', 140: 'numberedBatter' },
  4: GOALS,
  5: { 35: 'numberedPoint' },
  6: GOALS,
  12: SCORES,
  16: { ...QUARTERS, ...SCORES },
  19: {
    1905: 'numberedFrame',
    1906: 'numberedFrame',
    1907: 'numberedFrame',
    1908: 'numberedFrame',
    1909: 'numberedFrame',
    1912: 'numberedRace',
  },
  21: { 2107: 'numberedOver', 2108: 'numberedOver', 2109: 'numberedOver', 2114: 'numberedWicket' },
  22: {
    2207: 'numberedSet',
    2208: 'numberedLeg',
    2209: 'numberedLeg',
    2210: 'numberedLeg',
    2211: 'numberedLeg',
    2215: 'numberedRace',
  },
  29: GOALS,
  117: { 11709: 'numberedRound', 11710: 'numberedRound', 11711: 'numberedRound' },
}

const RALLY: Kinds = { 4: 'numberedRace', 6: 'numberedPoint' }

/** The same for markets of a set. Their types are 100 and more for the first set, 200 and more for the second. */
const OF_SET: Readonly<Record<number, Kinds>> = {
  5: { 6: 'numberedGame', 7: 'numberedGame', 8: 'numberedGame', 13: 'numberedRace' },
  20: RALLY,
  23: RALLY,
  31: RALLY,
  34: RALLY,
  37: RALLY,
}

/** The text for the whole number of a market, such as *4th goal*; null if it is not known what it counts. */
export function numberedName(sportId: number | null, marketType: number | null): TranslationKey | null {
  if (sportId === null || marketType === null) {
    return null
  }
  return BY_SPORT[sportId]?.[marketType] ?? (marketType >= 100 ? OF_SET[sportId]?.[marketType % 100] : null) ?? null
}
