/** The changes of a match that this page has received since it was opened. Pure functions. */
import { clockSeconds } from '../domain/clock'
import type { Pair, Side } from '../domain/offer'
import type { TrackedMatch } from './tracked'

/** The row of the match at one moment, without what no tracker draws. */
export interface Sample {
  readonly status: string | null
  readonly score: Pair | null
  readonly scores: readonly Pair[]
  readonly game: Pair<string> | null
  readonly server: Side | null
  readonly isTiebreak: boolean
  /** A clock that is a text, such as the overs of cricket. */
  readonly text: string | null
  /** Seconds of the match clock. */
  readonly seconds: number | null
  readonly atMs: number
  /** Whether changes before it may be missing, after a reconnect. */
  readonly isAfterGap: boolean
}
export type Seen = readonly Sample[]

export const SEEN_MAX = 240

/** Adds the row if it differs from the newest one. */
export function withSample(seen: Seen, match: TrackedMatch, nowMs: number, isAfterGap = false): Seen {
  const next = { ...sampleOf(match, nowMs), isAfterGap }
  const last = seen.at(-1)
  return last && keyOf(last) === keyOf(next) ? seen : [...seen, next].slice(-SEEN_MAX)
}

function sampleOf(match: TrackedMatch, nowMs: number): Omit<Sample, 'isAfterGap'> {
  const { status, score, scores, game, playerServing, clock } = match
  return {
    status,
    score,
    scores,
    game,
    server: playerServing === 1 || playerServing === 2 ? playerServing : null,
    isTiebreak: match.tiebreak === true,
    text: clock?.kind === 'text' ? clock.text : null,
    seconds: clock && clockSeconds(clock, nowMs),
    atMs: nowMs,
  }
}

function keyOf({ seconds: _, atMs: __, isAfterGap: ___, ...rest }: Sample): string {
  return JSON.stringify(rest)
}
