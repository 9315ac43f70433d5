/** What is younger is of this moment: a feed that has nothing to say for a second or two is not late. */
const FRESH_MS = 3000

/** How many seconds old the offer is, both in the server's time; null where that is no news. */
export function ageToTell(dateMs: number | null, nowMs: number): number | null {
  if (dateMs === null || nowMs - dateMs <= FRESH_MS) {
    return null
  }
  return Math.floor((nowMs - dateMs) / 1000)
}
