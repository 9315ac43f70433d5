/** A time-out or a self-exclusion, during which the bettor can neither bet nor deposit (CONTRACT 9). */

export interface Exclusion {
  /** `time_out` or `self_exclusion`; a kind of a later version is kept as it is. */
  readonly kind: string
  /** In ms since the epoch; null for an exclusion without an end. */
  readonly until: number | null
}

export type ExclusionKind = 'time_out' | 'self_exclusion'

/** The kind in the texts. A kind of a later version counts as an exclusion, which is the stricter one. */
export function kindOf({ kind }: Exclusion): ExclusionKind {
  return kind === 'time_out' ? kind : 'self_exclusion'
}

/** Whether an exclusion until this time lasts longer than the one in force. */
export function isLonger(until: number | null, { until: held }: Exclusion): boolean {
  return held !== null && (until === null || until > held)
}
