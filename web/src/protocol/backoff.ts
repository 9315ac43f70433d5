/** Waiting between attempts: exponential with full jitter, so that those cut off together do not come back together. */

const FIRST_MS = 250
const MOST_MS = 5000

/** How long to wait before the attempt after `attempts` in vain; `random` gives 0 to 1. */
export function backoffMs(attempts: number, random: () => number): number {
  return Math.round(random() * Math.min(MOST_MS, FIRST_MS * 2 ** Math.min(attempts, 16)))
}
