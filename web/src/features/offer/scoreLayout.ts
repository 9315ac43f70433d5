/** Which figures of a score a sport's rows show, and how wide they stand. */
import type { Match, SportId } from '../../domain/offer'
import type { TranslationKey } from '../../i18n/keys'

export interface ScoreLayout {
  /** Red and yellow cards and corners, before the score. */
  readonly cards: boolean
  /** How many periods have a place in regular play, and how many at most. */
  readonly periods: readonly [usual: number, most: number]
  /** Of a period's column where there is little room, in rem. */
  readonly periodWidth: number
  /** The points of the running game stand last, instead of the score. */
  readonly game: boolean
  /** What the last column is. */
  readonly total: TranslationKey
}

const PLAIN: ScoreLayout = { cards: false, periods: [0, 4], periodWidth: 1.25, game: false, total: 'scoreTotal' }

const LAYOUTS: Readonly<Record<SportId, ScoreLayout>> = {
  1: { ...PLAIN, cards: true, periods: [0, 0], total: 'scoreGoals' },
  2: { ...PLAIN, periods: [4, 5] },
  3: { ...PLAIN, periods: [0, 0], total: 'scoreRuns' },
  4: { ...PLAIN, periods: [3, 4], periodWidth: 1.125, total: 'scoreGoals' },
  5: { ...PLAIN, periods: [3, 5], periodWidth: 1.125, game: true, total: 'scoreGame' },
  6: { ...PLAIN, periods: [2, 4], total: 'scoreGoals' },
  12: { ...PLAIN, periods: [2, 4] },
  16: { ...PLAIN, periods: [4, 5] },
  19: { ...PLAIN, periods: [0, 0], total: 'scoreFrames' },
  20: { ...PLAIN, periods: [5, 7], total: 'scoreSets' },
  21: { ...PLAIN, periods: [0, 0], total: 'scoreRuns' },
  22: { ...PLAIN, periods: [0, 0], total: 'scoreSets' },
  23: { ...PLAIN, periods: [5, 5], total: 'scoreSets' },
  29: { ...PLAIN, periods: [2, 4], total: 'scoreGoals' },
  31: { ...PLAIN, periods: [3, 3], total: 'scoreSets' },
  34: { ...PLAIN, periods: [3, 3], total: 'scoreSets' },
}

export function scoreLayout(sportId: SportId): ScoreLayout {
  return LAYOUTS[sportId] ?? PLAIN
}

/** How many periods the longest of the matches needs a column for, and at least the usual number. */
export function periodCount(layout: ScoreLayout, matches: Iterable<Pick<Match, 'scores'> | undefined>): number {
  const [usual, most] = layout.periods
  let count = usual
  for (const match of matches) {
    count = Math.max(count, Math.min(match?.scores.length ?? 0, most))
  }
  return count
}

/** The columns as a grid's template, and their width together, in rem. */
export function scoreGrid(
  layout: ScoreLayout,
  periods: number,
  periodWidth = layout.periodWidth,
): { template: string; width: number } {
  if (layout.cards) {
    return { template: '1rem 1.125rem 1.25rem 1fr', width: 5.875 }
  }
  return {
    template: periods > 0 ? `repeat(${periods}, ${periodWidth}rem) 1fr` : '1fr',
    width: periods * periodWidth + 2.5,
  }
}

/** The periods that have a column, oldest first: of a match with more of them the last ones. */
export function shownPeriods(played: number, columns: number): number[] {
  const first = Math.max(0, played - columns)
  return Array.from({ length: columns }, (_, place) => first + place)
}
