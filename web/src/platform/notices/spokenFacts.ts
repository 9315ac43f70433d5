/** What is announced of the open match when its facts change (docs/protocol.md, FACT), by sport. Pure functions. */
import type { Match, Side, SportId } from '../../domain/offer'
import { asSide, type Extras, parts, readExtras, records } from '../../protocol/extras'
import type { Announcement } from './announcementsSlice'

interface Change {
  readonly match: Match
  readonly before: Extras
  readonly now: Extras
}

type Spoken = Announcement | null

const RULES: Readonly<Record<SportId, (change: Change) => Spoken>> = {
  3: homeRun,
  4: powerPlay,
  5: serviceBreak,
  6: suspension,
  19: snookerBreak,
  22: checkout,
}

/** The facts of a history as it was sent. */
export function factsOf(history: unknown): Extras {
  return Array.isArray(history) ? readExtras(history[3]) : {}
}

export function spokenOfFacts(match: Match, before: Extras, now: Extras): Spoken {
  return RULES[match.sportId]?.({ match, before, now }) ?? null
}

const HOME_RUN = 4

function homeRun({ match, before, now }: Change): Spoken {
  const [side, result] = newest(before.batters, now.batters, 2) ?? []
  return result === HOME_RUN ? of('spokenHomeRun', match, side) : null
}

function powerPlay({ match, before, now }: Change): Spoken {
  const side = moreOf(now)
  return side !== 0 && moreOf(before) !== side ? of('spokenPowerPlay', match, side) : null
}

/** The side with more players; 0 if both have as many. */
function moreOf(extras: Extras): Side | 0 {
  const [home, away] = [shortOf(extras, 1), shortOf(extras, 2)]
  return home === away ? 0 : home < away ? 1 : 2
}

function suspension({ match, before, now }: Change): Spoken {
  const side = ([1, 2] as const).find((each) => shortOf(now, each) > shortOf(before, each))
  return side ? of('spokenSuspension', match, side) : null
}

function shortOf({ short }: Extras, side: Side): number {
  return records(short, 2).filter(([number]) => number === side).length
}

const BREAK = 100

function serviceBreak({ match, before, now }: Change): Spoken {
  const [was, is] = [parts(before.games ?? []), parts(now.games ?? [])]
  const [held, games] = [was.flat(), is.flat()]
  const game = games.at(-1) ?? 0
  return before.games && games.length > held.length && game >= BREAK ? of('spokenBreak', match, game % 10) : null
}

const BREAKS = [100, 50] as const

function snookerBreak({ match, before, now }: Change): Spoken {
  const [was, is] = [madeOf(before), madeOf(now)]
  const isSame = was.side === is.side && was.points <= is.points
  const passed = BREAKS.find((least) => is.points >= least && !(isSame && was.points >= least))
  return passed && before.table ? of('spokenSnookerBreak', match, is.side, { points: is.points }) : null
}

/** The player at the table and the points of the break. */
function madeOf({ table }: Extras): { readonly side: Side | 0; readonly points: number } {
  const [, , player, ...balls] = table ?? []
  return { side: asSide(player), points: balls.reduce((sum, ball) => sum + ball, 0) }
}

const HIGH = 100

function checkout({ match, before, now }: Change): Spoken {
  const [side, points = 0, left] = newest(before.visits, now.visits, 3) ?? []
  return left === 0 && points >= HIGH ? of('spokenCheckout', match, side, { points }) : null
}

/** The newest record of a list, if the list has changed; the first list that is known has nothing new. */
function newest(
  before: readonly number[] | undefined,
  now: readonly number[] | undefined,
  size: number,
): readonly number[] | null {
  return before && now && String(before) !== String(now) ? (records(now, size).at(-1) ?? null) : null
}

function of(
  key: Announcement['key'],
  { home, away }: Match,
  number: number | undefined,
  values: Announcement['values'] = {},
): Spoken {
  const side = asSide(number)
  return side === 0 ? null : { key, values: { name: (side === 1 ? home : away) ?? '', ...values } }
}
