/**
 * What follows from the changes of a match that this page has received: rallies of a set, scores with their times.
 * Whatever happened before the page was opened stays empty. Pure functions.
 */
import type { Pair, Side } from '../domain/offer'
import type { Sample, Seen } from './sample'

/** A set: the winner and server of each point (or game) since the first that was seen. */
export interface Sheet {
  /** The points before the first that was seen. */
  readonly missed: number
  readonly points: readonly { readonly winner: Side; readonly server: Side | null }[]
}

/** The sheet of set `index`. A jump of several points starts it again; a correction removes its points. */
export function sheetOf(seen: Seen, index: number): Sheet {
  let missed = 0
  let points: { winner: Side; server: Side | null }[] = []
  let last: Sample | null = null
  let count: Pair | null = null
  for (const sample of seen) {
    const next = sample.scores[index]
    const before: Pair | null = count
    const server: Side | null = last && !last.isTiebreak ? last.server : null
    last = sample
    if (!next || (before && next[0] === before[0] && next[1] === before[1])) {
      continue
    }
    count = next
    // The set was seen from its beginning if an earlier sample does not have it yet.
    const [home, away]: Pair = before ?? (sample === seen[0] ? next : [0, 0])
    const [up, down] = [next[0] - home, next[1] - away]
    if (up + down === 1 && up * down === 0) {
      points = [...points, { winner: up === 1 ? 1 : 2, server }]
    } else if (up <= 0 && down <= 0) {
      points = without(points, ({ winner }) => winner === 1, -up)
      points = without(points, ({ winner }) => winner === 2, -down)
      missed = Math.max(0, next[0] + next[1] - points.length)
    } else {
      points = []
    }
    if (points.length === 0) {
      missed = next[0] + next[1]
    }
  }
  return { missed, points }
}

/** Removes the newest `count` points of a side. */
function without<P>(points: readonly P[], isOfSide: (point: P) => boolean, count: number): P[] {
  let rest = count
  const kept = [...points].reverse().filter((point) => !isOfSide(point) || rest-- <= 0)
  return kept.reverse()
}

/** A change of the score: when, for which side, and the score after it. */
export interface ScoreStep {
  readonly seconds: number | null
  readonly atMs: number
  readonly side: Side
  readonly gain: number
  readonly score: Pair
  readonly status: string | null
}

/** The changes of the score. A correction removes the newest steps of its side; after a gap they begin again. */
export function scoreSteps(seen: Seen): ScoreStep[] {
  let steps: ScoreStep[] = []
  let last: Pair | null = null
  for (const { score, seconds, atMs, status, isAfterGap } of seen) {
    if (isAfterGap && String(score) !== String(last)) {
      steps = []
    } else if (score && last) {
      const [up, down] = [score[0] - last[0], score[1] - last[1]]
      if (up < 0 || down < 0) {
        steps = corrected(steps, score)
      } else if (up > 0 !== down > 0) {
        // If both sides scored between two messages, their order is unknown.
        steps = [...steps, { seconds, atMs, side: up > 0 ? 1 : 2, gain: up + down, score, status }]
      }
    }
    last = score ?? last
  }
  return steps
}

function corrected(steps: readonly ScoreStep[], [home, away]: Pair): ScoreStep[] {
  const kept: ScoreStep[] = []
  let [up, down] = [home, away]
  // From the newest back: a step that does not fit below the corrected score is the one that was taken back.
  for (const step of [...steps].reverse()) {
    const own = of([up, down], step.side)
    if (of(step.score, step.side) <= own) {
      kept.unshift({ ...step, score: [up, down] })
      up -= step.side === 1 ? step.gain : 0
      down -= step.side === 2 ? step.gain : 0
    }
  }
  return kept
}

/** The newest change of the score, while it is less than `ms` old. */
export function freshStep(seen: Seen, nowMs: number, ms = 5000): ScoreStep | null {
  const [before, last] = scoreSteps(seen.slice(-12)).slice(-2)
  const step = last ?? before
  const isStanding = step && String(seen.at(-1)?.score) === String(step.score)
  return step && isStanding && nowMs - step.atMs < ms ? step : null
}

export function sideOf([home, away]: Pair): Side | 0 {
  return home === away ? 0 : home > away ? 1 : 2
}

/** The longest run of points of each side. */
export function runs(winners: readonly Side[]): Pair {
  const best: [number, number] = [0, 0]
  let run = 0
  winners.forEach((winner, index) => {
    run = winner === winners[index - 1] ? run + 1 : 1
    best[winner - 1] = Math.max(best[winner - 1] ?? 0, run)
  })
  return best
}

/** The value of a side. */
export function of<T>(pair: Pair<T>, side: Side): T {
  return pair[side === 1 ? 0 : 1]
}
