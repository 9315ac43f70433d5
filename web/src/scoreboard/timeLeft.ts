/** The clock of sports that count down. Pure functions. */
import type { SportId } from '../domain/offer'
import type { Extras } from '../protocol/extras'
import { minutes } from './shorts'

/** Basketball and American football. */
const COUNTS_DOWN: readonly SportId[] = [2, 16]

/**
 * The time left of the period: `3:12`. Null if the sport's clock counts up, or if the end of the period is unknown, as
 * between two periods. The match clock, in seconds, runs on from period to period.
 */
export function timeLeft(sportId: SportId, { periodEnd }: Extras, seconds: number | null): string | null {
  const end = periodEnd?.[0]
  if (end === undefined || seconds === null || !COUNTS_DOWN.includes(sportId)) {
    return null
  }
  return minutes(Math.max(0, end - seconds))
}
