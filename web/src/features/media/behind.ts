/** How far a stream is behind what happens. Pure. */

/** What is known of a stream that plays. */
export interface Position {
  /** When what is shown was taken, ms since the epoch, where the stream says it. */
  readonly takenMs: number | null
  /** Seconds to the newest picture that can be had. */
  readonly toEdge: number | null
}

/** More than an hour is a wrong clock, not a delay. */
const MOST_S = 3600

/** Whole seconds; null where nothing tells. `nowMs` is the server's. */
export function secondsBehind({ takenMs, toEdge }: Position, nowMs: number): number | null {
  const seconds = takenMs === null ? toEdge : (nowMs - takenMs) / 1000
  return seconds === null || !Number.isFinite(seconds) || seconds > MOST_S ? null : Math.max(0, Math.round(seconds))
}
