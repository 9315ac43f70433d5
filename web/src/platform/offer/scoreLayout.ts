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
  /**
   * Where the points of the running game are: `instead` of the score, as a more exact form of it (`asScore`, cricket's
   * runs and wickets), or `beside` it.
   */
  readonly game: 'none' | 'instead' | 'asScore' | 'beside'
  /**
   * The score is in legs. Where these make up sets, the sets have the column of a period, and the score the legs of
   * the running set.
   */
  readonly legs: boolean
  /** What the column of the score is. */
  readonly total: TranslationKey
  /** What the column of the game is, if it is `beside` the score. */
  readonly beside: TranslationKey
  /** The width of the last column that the score needs, in rem. */
  readonly totalWidth: number
}

const PLAIN: ScoreLayout = {
  cards: false,
  periods: [0, 4],
  periodWidth: 1.25,
  game: 'none',
  legs: false,
  total: 'scoreTotal',
  beside: 'trackerPoints',
  totalWidth: 2.5,
}
const BESIDE_WIDTH = 2.25

const LAYOUTS: Readonly<Record<SportId, ScoreLayout>> = {
  1: { ...PLAIN, cards: true, periods: [0, 0], total: 'scoreGoals' },
  2: { ...PLAIN, periods: [4, 5] },
  3: { ...PLAIN, periods: [0, 0], total: 'scoreRuns' },
  4: { ...PLAIN, periods: [3, 4], periodWidth: 1.125, total: 'scoreGoals' },
  5: { ...PLAIN, periods: [3, 5], periodWidth: 1.125, game: 'instead', total: 'scoreGame' },
  6: { ...PLAIN, periods: [2, 4], total: 'scoreGoals' },
  12: { ...PLAIN, periods: [2, 4] },
  16: { ...PLAIN, periods: [4, 5] },
  19: { ...PLAIN, periods: [0, 0], game: 'beside', total: 'scoreFrames' },
  20: { ...PLAIN, periods: [5, 7], total: 'scoreSets' },
  21: { ...PLAIN, periods: [0, 0], game: 'asScore', total: 'scoreWickets', totalWidth: 3.75 },
  22: {
    ...PLAIN,
    periods: [0, 1],
    periodWidth: 1.75,
    game: 'beside',
    legs: true,
    total: 'scoreLegs',
    beside: 'scoreLeft',
  },
  23: { ...PLAIN, periods: [5, 5], total: 'scoreSets' },
  29: { ...PLAIN, periods: [2, 4], total: 'scoreGoals' },
  31: { ...PLAIN, periods: [3, 3], total: 'scoreSets' },
  34: { ...PLAIN, periods: [3, 3], total: 'scoreSets' },
  37: { ...PLAIN, periods: [5, 5], total: 'scoreSets' },
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
  const beside = layout.game === 'beside' ? BESIDE_WIDTH : 0
  const columns = [
    ...(periods > 0 ? [`repeat(${periods}, ${periodWidth}rem)`] : []),
    '1fr',
    ...(beside > 0 ? [`${beside}rem`] : []),
  ]
  return { template: columns.join(' '), width: periods * periodWidth + layout.totalWidth + beside }
}

/** The figures of one side of a row: the periods that have a column, the score, and the game beside it. */
export function figuresOf(match: Match, side: 0 | 1, columns: number) {
  const { legs, game } = scoreLayout(match.sportId)
  const score = match.score?.[side]
  const points = match.game?.[side]
  const hasSets = legs && match.scores.length > 0
  return {
    periods: shownPeriods(match.scores.length, columns).map((period) => ({
      period,
      figure: legs ? (hasSets ? score : undefined) : match.scores[period]?.[side],
      isCurrent: !legs && period === match.scores.length - 1,
    })),
    score: game === 'asScore' ? (points ?? score) : hasSets ? match.scores.at(-1)?.[side] : score,
    points,
  }
}

/** The periods that have a column, oldest first: of a match with more of them the last ones. */
export function shownPeriods(played: number, columns: number): number[] {
  const first = Math.max(0, played - columns)
  return Array.from({ length: columns }, (_, place) => first + place)
}
