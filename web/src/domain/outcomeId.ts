/** The types of odds that are outcome ids of a provider (docs/uof.md): numbers, and names such as `sr:player:947`. */
const OUTCOME_ID = /^\d+$|:/

/** Whether a text may be an outcome id. In kvota's feed it may be the name of an odd as well: `1`, `2:1`. */
export function mayBeOutcomeId(text: string): boolean {
  return OUTCOME_ID.test(text)
}
