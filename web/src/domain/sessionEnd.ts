/** The end of a login by the bettor's own limit (CONTRACT 9). */
import type { RealityCheck } from './realityCheck'

export interface SessionEnd {
  /** In ms since the epoch, by the server's clock. */
  readonly endsAt: number
  /** Time, stakes and returns since the login; null if the server has not sent them. */
  readonly sums: RealityCheck | null
}

const MINUTE_MS = 60_000

/** The hub announces an end at least a minute before. A message that is closer to it reports the end itself. */
const OVER_WITHIN_MS = 30_000

export function isOver({ endsAt }: SessionEnd, nowMs: number): boolean {
  return endsAt - nowMs < OVER_WITHIN_MS
}

/** The whole minutes that are left, at least one. */
export function minutesUntil(endsAt: number, nowMs: number): number {
  return Math.max(1, Math.round((endsAt - nowMs) / MINUTE_MS))
}
