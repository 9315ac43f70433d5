/**
 * Which columns the rows of a sport have. It depends on the width of the list and on the sport, not on its matches, so
 * that a column comes or goes only when the list gets another width. Names keep `NAME`; where space is short, columns go in this
 * order: the hide button, the time (it moves above the names), periods beyond the usual number, the third set of odds,
 * the second. Lengths are in rem.
 */
import { type ScoreLayout, scoreGrid } from '../../platform/offer/scoreLayout'

export interface RowColumns {
  /** How many sets of odds there are. */
  readonly sets: number
  /** How many periods have room; of a longer match the last ones are shown. */
  readonly periods: number
  readonly periodWidth: number
  /** Whether the time has a column of its own, and does not stand above the names. */
  readonly hasTime: boolean
  readonly hasHide: boolean
  /** For `grid-template-columns`. */
  readonly template: string
  readonly gap: number
}

/** How much wider a period's column is where there is room. */
const WIDE_PERIOD = 1.15
const NAME = 8.25
const EDGES = 0.625
const STAR = 2.25
const TIME = 5.125
const MORE = 2.5
const HIDE = 1.75
const GAP = 0.5
/** Where there is room for it. */
const WIDE_GAP = 0.875
const ROOM_FOR_WIDE_GAP = 6
/** The sets of odds, as narrow as their prices allow, and as wide as they look good. */
const SET = [10.75, 9.875, 9.875]
const WIDE_SET = [19, 17, 17]
/** The part of the room left over by which the sets grow; the names get the rest. */
const SETS_GET = 0.7

/** The widest score in regular play: five periods. Sets and hide buttons that fit beside it line up in all sports. */
const WIDEST_SCORE = 8.75

/** On a phone: the edges, the star and the gaps beside a name and its score. */
const PHONE_REST = 4.25

/** `width` is that of the list, `available` how many sets the sport has. */
export function rowColumns(width: number, shape: ScoreLayout, available: number, isPhone: boolean): RowColumns {
  if (isPhone) {
    const periods = periodsIn(width - PHONE_REST - NAME, shape)
    return { sets: 1, ...periods, hasTime: true, hasHide: false, template: '', gap: 0.25 }
  }
  const fits = (sets: number) => width >= leastWidth(sets) + WIDEST_SCORE
  const sets = Math.min(available, fits(3) ? 3 : fits(2) ? 2 : 1)
  const whole = leastWidth(sets) + WIDEST_SCORE + (TIME + GAP) + (HIDE + GAP)
  const hasHide = width >= whole
  const room = width - leastWidth(sets) - (hasHide ? HIDE + GAP : 0)
  const [usual, most] = shape.periods
  const hasTime = room - (TIME + GAP) >= scoreGrid(shape, Math.max(usual, Math.min(most, 1))).width
  const { gap, setWidths, growth } = grown(sets, Math.max(0, width - whole))
  const columns = [
    `${STAR}rem`,
    ...(hasTime ? [`${TIME}rem`] : []),
    'minmax(0, 1fr)',
    'var(--score-w)',
    ...setWidths.map((setWidth) => `${setWidth}rem`),
    `${MORE}rem`,
    ...(hasHide ? [`${HIDE}rem`] : []),
  ]
  const periods = periodsIn(room - (hasTime ? TIME + GAP : 0) - growth, shape)
  return { sets, ...periods, hasTime, hasHide, template: columns.join(' '), gap }
}

/** Of a row without hide button and time, beside its score. */
function leastWidth(sets: number): number {
  const columns = [STAR, NAME, ...SET.slice(0, sets), MORE]
  return EDGES + sum(columns) + columns.length * GAP
}

/** As many periods as a score of this width has room for, and at least the one that is played. */
function periodsIn(width: number, shape: ScoreLayout): Pick<RowColumns, 'periods' | 'periodWidth'> {
  const room = width - scoreGrid(shape, 0).width
  const [, most] = shape.periods
  const periods = Math.min(most, Math.max(1, Math.floor(room / shape.periodWidth)))
  const wide = shape.periodWidth * WIDE_PERIOD
  return { periods, periodWidth: room >= periods * wide ? wide : shape.periodWidth }
}

/** The gap and the sets where a row with all its columns has `spare` left, and how much of that they take. */
function grown(sets: number, spare: number): { gap: number; setWidths: number[]; growth: number } {
  const gap = spare >= ROOM_FOR_WIDE_GAP ? WIDE_GAP : GAP
  const gaps = (gap - GAP) * (sets + 5)
  const least = SET.slice(0, sets)
  const most = WIDE_SET.slice(0, sets)
  const part = Math.min(1, ((spare - gaps) * SETS_GET) / (sum(most) - sum(least)))
  // In steps of a pixel, so that prices keep sharp edges.
  const setWidths = least.map((width, place) => Math.floor((width + ((most[place] ?? width) - width) * part) * 16) / 16)
  return { gap, setWidths, growth: gaps + sum(setWidths) - sum(least) }
}

function sum(lengths: readonly number[]): number {
  return lengths.reduce((total, length) => total + length, 0)
}
