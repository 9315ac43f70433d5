/**
 * What protects the bettor now: an exclusion, and the end of the login by its limit. Missing until its reducer is
 * loaded (`addProtection`).
 */
import type { Exclusion, ExclusionKind } from '../../domain/exclusion'
import type { SessionEnd } from '../../domain/sessionEnd'

export interface ProtectionState {
  /** The user that it protects; null for an anonymous one. */
  readonly owner: string | null
  /** The answer of `live/user-status` that was read last. */
  readonly status: unknown
  readonly exclusion: Exclusion | null
  /** The text why no odd can be picked and no bet can be placed; null if nothing prevents it. */
  readonly barred: `barred_${ExclusionKind}` | null
  readonly sessionEndsAt: number | null
  /** The announced end of the login, until the bettor closes it. */
  readonly announced: SessionEnd | null
  /** The end of the last login by its limit, until the bettor closes it. */
  readonly ended: SessionEnd | null
  /** Counts the changes of the account that the hub has reported. */
  readonly changes: number
}
