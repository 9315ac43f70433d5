/** Exponential backoff with full jitter: clients that lost their connections together do not reconnect together. */

const FIRST_MS = 250
const MOST_MS = 5000

/** The wait in ms after `attempts` failed attempts before this one; `random` returns a number between 0 and 1. */
export function backoffMs(attempts: number, random: () => number): number {
  return Math.round(random() * Math.min(MOST_MS, FIRST_MS * 2 ** Math.min(attempts, 16)))
}
