/** The course of a score over time: each change with its time and, where the server sends it, its way. Pure functions. */
import type { Pair, Side } from '../../domain/offer'
import { asSide, type Extras, records } from '../../protocol/extras'
import { isGoal } from '../history'
import type { Seen } from '../sample'
import { of, type ScoreStep, scoreSteps } from '../seen'
import type { Tracked } from '../tracked'

/** The ways to score (docs/protocol.md, FACT). */
export const WAY = {
  freeThrow: 1,
  three: 3,
  try: 4,
  conversion: 5,
  penalty: 6,
  dropGoal: 7,
  touchdown: 8,
  extraPoint: 9,
  fieldGoal: 10,
  safety: 11,
} as const

export interface Step extends ScoreStep {
  /** 0 if it is unknown. */
  readonly way: number
}

/** The scores in their order, and whether the first of them is known to be the first of the match. */
export interface Course {
  readonly steps: readonly Step[]
  readonly isWhole: boolean
  /** Where the chart begins if the beginning of the match is missing. */
  readonly begin: { readonly at: number; readonly by: number } | null
}

const START = { at: 0, by: 0 } as const

/** The course that reaches back to the beginning; otherwise that of the server, or what this page has seen. */
export function courseOf(tracked: Tracked, extras: Extras, gainMax: number): Course {
  const { match, seen } = tracked
  const sent = factSteps(extras, match.score)
  const told = historySteps(tracked)
  const whole = [sent, told].find((steps) => isWhole(steps, gainMax))
  if (whole) {
    return { steps: whole, isWhole: true, begin: START }
  }
  const known = sent.length > 0 ? sent : told
  const steps = (known.length > 0 ? known : scoreSteps(seen).map((step) => ({ ...step, way: 0 }))).filter(
    ({ seconds }) => seconds !== null,
  )
  if (known.length === 0) {
    return isWhole(steps, gainMax)
      ? { steps, isWhole: true, begin: START }
      : { steps, isWhole: false, begin: firstSeen(seen) }
  }
  const [first] = sent
  const lead = first && first.score[0] - first.score[1] + (first.side === 1 ? -first.gain : first.gain)
  return { steps, isWhole: false, begin: lead === undefined ? null : { at: first?.seconds ?? 0, by: lead } }
}

function isWhole(steps: readonly ScoreStep[], gainMax: number): boolean {
  const [first] = steps
  return (
    first !== undefined &&
    steps.every(({ seconds }) => seconds !== null) &&
    first.score[0] + first.score[1] <= Math.max(1, gainMax) &&
    first.score[0] * first.score[1] === 0
  )
}

/** The scores that the server sends with their ways. The newest one gives the score of now. */
function factSteps(extras: Extras, score: Pair | null): Step[] {
  let [home, away] = score ?? [0, 0]
  const steps: Step[] = []
  for (const [seconds = 0, number, gain = 0, way = 0] of records(extras.scores, 4).reverse()) {
    const side = asSide(number)
    if (side === 0 || gain <= 0) {
      continue
    }
    const own = side === 1 ? home : away
    if (own < gain) {
      // The score was corrected after these facts were sent, so that they do not fit below it.
      continue
    }
    steps.unshift({ seconds, side, gain, way, score: [home, away], status: null, atMs: 0 })
    home -= side === 1 ? gain : 0
    away -= side === 2 ? gain : 0
  }
  return steps
}

function historySteps({ history }: Tracked): Step[] {
  let last: Pair = [0, 0]
  return history.incidents.flatMap(({ kind, side, score, seconds, status }): Step[] => {
    if (!isGoal(kind) || !score) {
      return []
    }
    const gain = of(score, side) - of(last, side)
    last = score
    return [{ side, score, seconds, status, gain, atMs: 0, way: 0 }]
  })
}

/** The first state that was seen, or that after the last gap in which the score changed. */
function firstSeen(seen: Seen): Course['begin'] {
  const gap = seen.findLastIndex(
    ({ isAfterGap, score }, index) => isAfterGap && String(score) !== String(seen[index - 1]?.score),
  )
  const { score, seconds } = seen[Math.max(0, gap)] ?? {}
  return score && typeof seconds === 'number' ? { at: seconds, by: score[0] - score[1] } : null
}

/** How often a side has scored in a way. */
export function countOf(steps: readonly Step[], way: number): Pair {
  const count = (side: Side) => steps.filter((step) => step.side === side && step.way === way).length
  return [count(1), count(2)]
}
