/** Cricket: runs and wickets by over and by ball, as the server sends them or as this page has seen them. */
import type { Side } from '../../domain/offer'
import { asSide, type Extras, records } from '../../protocol/extras'
import type { Seen } from '../sample'
import { of } from '../seen'
import type { TrackedMatch } from '../tracked'

export interface Wickets {
  readonly runs: number
  readonly wickets: number
}

/** `177/6`; null for any other text. */
export function readWickets(text: string | null): Wickets | null {
  const [, runs, wickets] = /^(\d{1,4})\/(\d{1,2})$/.exec(text ?? '') ?? []
  return runs === undefined || wickets === undefined ? null : { runs: Number(runs), wickets: Number(wickets) }
}

export interface Ball extends Wickets {
  readonly balls: number
}

export interface Worm {
  readonly side: Side
  readonly spots: readonly Ball[]
}

/** The runs after each ball that was seen, by innings. A correction removes what came after it. */
export function wormsOf(seen: Seen): Worm[] {
  const worms = new Map<string, { side: Side; spots: Ball[] }>()
  for (const { status, server, game, text } of seen) {
    const score = server && game && readWickets(of(game, server))
    const [, overs, balls] = /^(\d{1,2})\.([0-5])$/.exec(text ?? '') ?? []
    if (!score || !server || !/^innings_\d$/.test(status ?? '') || overs === undefined) {
      continue
    }
    const worm = worms.get(`${status} ${server}`) ?? { side: server, spots: [] }
    worms.set(`${status} ${server}`, worm)
    const ball = { ...score, balls: Number(overs) * 6 + Number(balls) }
    worm.spots = [...worm.spots.filter((spot) => spot.balls < ball.balls && spot.runs <= ball.runs), ball]
  }
  return [...worms.values()]
}

export interface Over {
  readonly runs: number
  readonly wickets: number
  readonly fours: number
  readonly sixes: number
}

/** The innings of a side, whole or from the over with this number on. */
export interface Innings {
  readonly side: Side
  /** The overs before the first one; null if their number is unknown. */
  readonly missed: number | null
  readonly overs: readonly Over[]
  /** The balls so far; null if a finished innings does not say. */
  readonly balls: number | null
  /** The balls of the whole innings; null if it may have ended within an over. */
  readonly faced: number | null
  readonly total: Wickets | null
}

const WICKETS = 10
/** A match of 20 overs, and one of 50. */
export const OVERS: readonly number[] = [20, 50]
const FINAL = ['ended', 'super_over']

/** The overs that the server sends, by innings. `clock` has the overs of the side that bats. */
export function inningsOf({ overs }: Extras, match: TrackedMatch, clock: string | null): Innings[] {
  const groups: { side: Side; overs: Over[] }[] = []
  for (const [number, runs = 0, wickets = 0, fours = 0, sixes = 0] of records(overs, 5)) {
    const side = asSide(number)
    if (side !== 0) {
      if (groups.at(-1)?.side !== side) {
        groups.push({ side, overs: [] })
      }
      groups.at(-1)?.overs.push({ runs, wickets, fours, sixes })
    }
  }
  // A super over has a clock of its own.
  const now = /^innings_\d$/.test(match.status ?? '') ? ballsAt(clock) : null
  const scoreOf = (side: Side) => match.game && readWickets(of(match.game, side))
  const [first] = groups
  return groups.map(({ side, overs: list }, index): Innings => {
    const isNow = index === groups.length - 1 && match.playerServing === side && now !== null
    const score = scoreOf(side)
    const sum = list.reduce((all, over) => all + over.runs, 0)
    const lost = list.reduce((all, over) => all + over.wickets, 0)
    const balls = isNow ? now : null
    const begun = isNow ? Math.ceil(now / 6) : null
    const isWhole = begun === null ? score?.runs === sum && score.wickets === lost : begun <= list.length
    const missed = isWhole ? 0 : begun === null ? null : begun - list.length
    const isFull = missed === 0 && score !== null && score.wickets < WICKETS && isComplete(index, list, score)
    return { side, missed, overs: list, balls, faced: balls ?? (isFull ? list.length * 6 : null), total: score }
  })

  /** A side that is ahead ends the match within an over; otherwise the second side has as many overs as the first. */
  function isComplete(index: number, list: readonly Over[], { runs }: Wickets): boolean {
    const ahead = first && scoreOf(first.side)
    return index === 0
      ? groups.length > 1 && OVERS.includes(list.length)
      : FINAL.includes(match.status ?? '') && list.length === first?.overs.length && runs <= (ahead?.runs ?? -1)
  }
}

export function ballsAt(text: string | null): number | null {
  const [, overs, balls] = /^(\d{1,2})\.([0-5])$/.exec(text ?? '') ?? []
  return overs === undefined ? null : Number(overs) * 6 + Number(balls)
}

/** The runs after each over, for the worm; null without a known beginning. */
export function wormOf({ side, missed, overs, balls, total }: Innings): Worm | null {
  if (missed === null || !total) {
    return null
  }
  let runs = total.runs
  let wickets = total.wickets
  const end = balls ?? (missed + overs.length) * 6
  const spots: Ball[] = []
  // From the end back: the last over may still go on.
  for (let index = overs.length - 1; index >= 0; index -= 1) {
    spots.unshift({ balls: Math.min(end, (missed + index + 1) * 6), runs, wickets })
    runs = Math.max(0, runs - (overs[index]?.runs ?? 0))
    wickets = Math.max(0, wickets - (overs[index]?.wickets ?? 0))
  }
  return { side, spots: [{ balls: missed * 6, runs, wickets }, ...spots] }
}
