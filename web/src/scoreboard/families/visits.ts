/** The visits to the dartboard, as the server sends them or as this page has seen them. Pure functions. */
import type { Pair, Side } from '../../domain/offer'
import { asSide, type Extras, records } from '../../protocol/extras'
import type { Seen } from '../sample'
import { of } from '../seen'
import type { TrackedMatch } from '../tracked'

export function leftOf(game: Pair<string> | null): Pair | null {
  return game?.every((text) => /^\d{1,4}$/.test(text)) ? [Number(game[0]), Number(game[1])] : null
}

export interface Visit {
  readonly side: Side
  readonly points: number
  /** The points left after it; 0 ends the leg. */
  readonly left: number
}

/** The visits that were seen. One that leaves the points unchanged counts only if the other player throws next. */
export function visitsOf(seen: Seen): Visit[] {
  const visits: Visit[] = []
  seen.forEach((sample, index) => {
    const last = seen[index - 1]
    const [before, after] = [leftOf(last?.game ?? null), leftOf(sample.game)]
    if (!last || !before || !after) {
      return
    }
    const won = legWinner(last.score, sample.score) ?? legWinner(last.scores.at(-1), sample.scores.at(-1))
    const isNewLeg = after[0] > before[0] || after[1] > before[1]
    if (isNewLeg) {
      if (won && of(before, won) <= 170) {
        visits.push({ side: won, points: of(before, won), left: 0 })
      }
      return
    }
    const thrown: Pair = [before[0] - after[0], before[1] - after[1]]
    if (thrown[0] > 0 !== thrown[1] > 0) {
      const side = thrown[0] > 0 ? 1 : 2
      visits.push({ side, points: of(thrown, side), left: of(after, side) })
    } else if (thrown[0] + thrown[1] === 0 && last.server && sample.server && last.server !== sample.server) {
      visits.push({ side: last.server, points: 0, left: of(after, last.server) })
    }
  })
  return visits
}

function legWinner(before: Pair | null | undefined, after: Pair | null | undefined): Side | null {
  if (!before || !after || after[0] - before[0] + after[1] - before[1] !== 1) {
    return null
  }
  return after[0] > before[0] ? 1 : 2
}

/** The points left of each side after each visit of this leg, from the first that was seen. */
export function legOf(seen: Seen, now: Pair): Pair<number[]> {
  let leg: [number[], number[]] = [[], []]
  let last: Pair | null = null
  seen.forEach((sample, index) => {
    const next = leftOf(sample.game)
    if (!next) {
      return
    }
    if (!last || next[0] > last[0] || next[1] > last[1]) {
      leg = [[next[0]], [next[1]]]
    } else {
      const before = seen[index - 1]
      const isMiss = String(next) === String(last) && before?.server && sample.server !== before.server
      for (const side of [0, 1] as const) {
        if (next[side] !== last[side] || (isMiss && before?.server === side + 1)) {
          leg[side].push(next[side])
        }
      }
    }
    last = next
  })
  return last ? leg : [[now[0]], [now[1]]]
}

/** The visits that the server sends, the newest last. */
export function sentVisits({ visits }: Extras): Visit[] {
  return records(visits, 3).flatMap(([number, points = 0, left = 0]) => {
    const side = asSide(number)
    return side === 0 || points < 0 || points > 180 || left < 0 ? [] : [{ side, points, left }]
  })
}

/** This leg by the visits of the server. Visits below the points of now were corrected, so they are left out. */
export function sentLeg(visits: readonly Visit[], now: Pair): Pair<number[]> {
  const leg = visits
    .slice(visits.findLastIndex(({ left }) => left === 0) + 1)
    .filter(({ side, left }) => left >= of(now, side))
  const of1 = (side: Side) => {
    const own = leg.filter((visit) => visit.side === side)
    const [first] = own
    const values = first ? [first.left + first.points, ...own.map(({ left }) => left)] : []
    return values.at(-1) === of(now, side) ? values : [...values, of(now, side)]
  }
  return [of1(1), of1(2)]
}

/** Whether no visit of the match is missing: then every leg has its checkout. */
export function isWhole(visits: readonly Visit[], { scores, score }: TrackedMatch): boolean {
  const legs = scores.length > 0 ? scores.flat() : (score ?? [])
  const [first] = visits
  const start = first ? first.points + first.left : 0
  return (
    start % 100 === 1 &&
    start >= 301 &&
    visits.filter(({ left }) => left === 0).length === legs.reduce((sum, won) => sum + won, 0)
  )
}

/** The winner of each leg, null for those before the first visit that is sent; null if they do not fit the score. */
export function legsOf(visits: readonly Visit[], score: Pair): (Side | null)[] | null {
  const winners = visits.filter(({ left }) => left === 0).map(({ side }) => side)
  const missed = score[0] + score[1] - winners.length
  const isRight = ([1, 2] as const).every((side) => {
    const won = winners.filter((winner) => winner === side).length
    return missed === 0 ? won === of(score, side) : won <= of(score, side)
  })
  return winners.length > 0 && missed >= 0 && isRight ? [...Array<null>(missed).fill(null), ...winners] : null
}
