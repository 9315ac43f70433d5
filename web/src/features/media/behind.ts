/** Computes the delay of a stream. Pure functions. */

/** The playback position of a stream. */
export interface Position {
  /** When the shown picture was recorded, ms since the epoch; null if the stream does not say it. */
  readonly takenMs: number | null
  /** Seconds to the newest available picture; null if unknown. */
  readonly toEdge: number | null
}

/** A longer delay is taken as a wrong clock and ignored. */
const MOST_S = 3600

/** The delay in whole seconds; null if unknown. `nowMs` is the server's time. */
export function secondsBehind({ takenMs, toEdge }: Position, nowMs: number): number | null {
  const seconds = takenMs === null ? toEdge : (nowMs - takenMs) / 1000
  return seconds === null || !Number.isFinite(seconds) || seconds > MOST_S ? null : Math.max(0, Math.round(seconds))
}
