/** The winners of points and games as the server sends them, by set, and what they say about a match. Pure functions. */
import type { Pair, Side } from '../../domain/offer'
import { isSetWon } from '../../domain/points'
import { asSide, parts } from '../../protocol/extras'
import { of } from '../seen'

export interface Won {
  readonly winner: Side
}

/** A set: what was won before the first of `won` is missing. */
export interface SetOf<W extends Won> {
  readonly missed: number
  readonly won: readonly W[]
}

/**
 * The entries of each set, the newest set last; null for a set that the server did not send. If a side has more entries
 * than its score, the score was corrected, and its newest entries are left out.
 */
export function setsOf<W extends Won>(
  numbers: readonly number[] | undefined,
  scores: readonly Pair[],
  read: (number: number) => W | null,
): (SetOf<W> | null)[] {
  const sets: (SetOf<W> | null)[] = scores.map(() => null)
  if (!numbers || numbers.length === 0) {
    return sets
  }
  const groups = parts(numbers)
  const [before, newest] = groups.slice(-2)
  // After a set there may be a group for the next one, which the row does not have yet.
  if (newest?.length === 0 && before && before.length === sum(scores.at(-1))) {
    groups.pop()
  }
  let index = scores.length - 1
  for (const group of groups.reverse()) {
    // Between two sets the row may have the next one already.
    while (group.length > 0 && index > 0 && sum(scores[index]) === 0) {
      sets[index] = { missed: 0, won: [] }
      index -= 1
    }
    const score = scores[index]
    if (!score) {
      break
    }
    const won = fitting(
      group.flatMap((number) => read(number) ?? []),
      score,
    )
    sets[index] = { missed: Math.max(0, sum(score) - won.length), won }
    index -= 1
  }
  return sets
}

function sum(score: Pair | undefined): number {
  return score ? score[0] + score[1] : 0
}

function fitting<W extends Won>(won: readonly W[], score: Pair): W[] {
  const rest: [number, number] = [score[0], score[1]]
  return won.filter(({ winner }) => {
    const index = winner === 1 ? 0 : 1
    rest[index] -= 1
    return rest[index] >= 0
  })
}

export function readRally(number: number): Won | null {
  const winner = asSide(number)
  return winner === 0 ? null : { winner }
}

/** The rules for the server of each point of a set. */
export type ServeRule = 'winner' | 'twoEach'

/** The server of each point of a whole set, as far as a rule fixes it. `first` is the server of the first point. */
export function serversOf(won: readonly Won[], rule: ServeRule, target: number, first: Side | null): (Side | null)[] {
  return rule === 'winner'
    ? won.map((_, index) => won[index - 1]?.winner ?? null)
    : won.map((_, index) => first && (turnAt(won, index, target) === 0 ? first : other(first)))
}

/** The first server of a whole set, if `next` serves the next point and two points are served each. */
export function firstServer(won: readonly Won[], target: number, next: Side | null): Side | null {
  return next && (turnAt(won, won.length, target) === 0 ? next : other(next))
}

/** Table tennis: two services each, one each from 10:10. */
function turnAt(won: readonly Won[], index: number, target: number): 0 | 1 {
  const deuce = 2 * (target - 1)
  const home = won.slice(0, Math.min(index, deuce)).filter(({ winner }) => winner === 1).length
  const isLate = index >= deuce && home === target - 1
  const turns = isLate ? deuce / 2 + (index - deuce) : Math.floor(index / 2)
  return turns % 2 === 0 ? 0 : 1
}

export function other(side: Side): Side {
  return side === 1 ? 2 : 1
}

/** How many points each side has served, and won of them. */
export function servedOf(
  won: readonly Won[],
  servers: readonly (Side | null)[],
): { readonly served: Pair; readonly kept: Pair } {
  const served: [number, number] = [0, 0]
  const kept: [number, number] = [0, 0]
  won.forEach(({ winner }, index) => {
    const server = servers[index]
    if (server) {
      served[server === 1 ? 0 : 1] += 1
      kept[server === 1 ? 0 : 1] += winner === server ? 1 : 0
    }
  })
  return { served, kept }
}

/** How often each side could win the set with the next point. `most` ends a set whatever the difference. */
export function setPointsOf(won: readonly Won[], target: number, most?: number): Pair {
  const points: [number, number] = [0, 0]
  const score: [number, number] = [0, 0]
  for (const { winner } of won) {
    for (const side of [1, 2] as const) {
      const [own, rival] = [of<number>(score, side) + 1, of<number>(score, other(side))]
      points[side === 1 ? 0 : 1] += isSetWon(own, rival, target, most) ? 1 : 0
    }
    score[winner === 1 ? 0 : 1] += 1
  }
  return points
}
