/** One fact of HISTORY that the head of a match shows (docs/protocol.md, FACT). All others are read by `extras.ts`, later. */

/** The topic of the end of the running period. */
const PERIOD_END = 17

/** The second of the match clock at which the running period ends, in a history as it was sent. */
export function periodEndOf(history: unknown): number | undefined {
  const facts: unknown = Array.isArray(history) ? history[3] : null
  const fact = Array.isArray(facts) ? facts.find((one) => Array.isArray(one) && one[0] === PERIOD_END) : null
  return Number.isSafeInteger(fact?.[1]) ? fact[1] : undefined
}
