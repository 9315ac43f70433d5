/** How the score of each sport is counted, and the names of its parts. Pure functions. */
import type { Pair } from '../domain/offer'
import type { TranslationKey } from '../i18n/keys'
import type { TrackedMatch } from './tracked'

export interface BoardKind {
  /** The name of the parts of a match in its statuses: `set` for `set_2`. */
  readonly part: string | null
  /** Whether a set is counted in points, so that the score of the current set is the current points. */
  readonly bySets: boolean
  /** The heading of the total score. */
  readonly total: TranslationKey
}

const PLAIN: BoardKind = {
  part: null,
  bySets: false,
  total: 'scoreTotal',
}

const RALLY: BoardKind = { ...PLAIN, part: 'set', bySets: true, total: 'scoreSets' }

const KINDS: Readonly<Record<number, BoardKind>> = {
  1: { ...PLAIN, part: 'half', total: 'scoreGoals' },
  2: { ...PLAIN, part: 'quarter' },
  3: { ...PLAIN, part: 'inning', total: 'scoreRuns' },
  4: { ...PLAIN, part: 'period', total: 'scoreGoals' },
  5: { ...PLAIN, part: 'set', total: 'scoreSets' },
  6: { ...PLAIN, part: 'half', total: 'scoreGoals' },
  12: { ...PLAIN, part: 'half' },
  16: { ...PLAIN, part: 'quarter' },
  19: { ...PLAIN, part: 'frame', total: 'scoreFrames' },
  20: RALLY,
  21: { ...PLAIN, part: 'innings', total: 'scoreCricketRuns' },
  22: { ...PLAIN, part: 'set', total: 'scoreLegs' },
  23: RALLY,
  29: { ...PLAIN, part: 'half', total: 'scoreGoals' },
  31: RALLY,
  34: RALLY,
  37: RALLY,
  117: { ...PLAIN, part: 'round' },
}

const HALVES = ['first_half', 'second_half', 'first_extra', 'second_extra']

export function boardKind(sportId: number): BoardKind {
  return KINDS[sportId] ?? PLAIN
}

/** The match status of part `index`, counted from 0; null if the sport has no such parts. */
export function partStatus(kind: BoardKind, index: number): string | null {
  if (kind.part === 'half') {
    return HALVES[index] ?? null
  }
  return kind.part && `${kind.part}_${index + 1}`
}

/** The points of the current game: the field `game`, or the score of the current set if sets are counted in points. */
export function pointsNow(match: TrackedMatch): Pair<string> | null {
  if (match.game) {
    return match.game
  }
  const last = match.scores.at(-1)
  return boardKind(match.sportId).bySets && last ? [String(last[0]), String(last[1])] : null
}

/** Cricket: the runs that the second side needs, one more than the first side has. */
export function target(match: TrackedMatch): number | null {
  const [first, second] = match.scores
  if (boardKind(match.sportId).part !== 'innings' || !first || !second) {
    return null
  }
  return Math.max(first[0], first[1]) + 1
}
