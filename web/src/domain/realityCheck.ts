/** The reminder of how long the bettor has been logged in, and of what was won or lost meanwhile (CONTRACT 9). */
import { centsOf, writeCents } from './ticket/stake'

export interface RealityCheck {
  /** Since the login. */
  readonly timeMs: number
  /** Exact decimal amounts. */
  readonly staked: string
  readonly returned: string
}

const MINUTE_MS = 60_000

/** The time since the login in whole hours and minutes. */
export function timeOf({ timeMs }: RealityCheck): { readonly hours: number; readonly minutes: number } {
  const minutes = Math.floor(Math.max(0, timeMs) / MINUTE_MS)
  return { hours: Math.floor(minutes / 60), minutes: minutes % 60 }
}

/** What the bettor won; negative if more was staked than returned. */
export function resultOf({ staked, returned }: RealityCheck): string {
  const cents = centsOf(returned) - centsOf(staked)
  return cents < 0n ? `-${writeCents(-cents)}` : writeCents(cents)
}
