/** Younger data counts as current: a feed may have no changes for a second or two. */
const FRESH_MS = 3000

/** The age of the offer in seconds, or null if it is current. Both arguments are server time. */
export function ageToTell(dateMs: number | null, nowMs: number): number | null {
  if (dateMs === null || nowMs - dateMs <= FRESH_MS) {
    return null
  }
  return Math.floor((nowMs - dateMs) / 1000)
}
