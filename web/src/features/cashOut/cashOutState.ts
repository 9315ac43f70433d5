/** The state of cash-out before its reducer is loaded (`addCashOut`), which the first paint does not need. */
import type { BetState, CashOutRule } from '../../domain/bet'
import type { CashOutValue, SharePercent } from '../../domain/cashOut'

export interface HeldValue extends CashOutValue {
  /** The last change, for a few seconds. */
  readonly movement: 'up' | 'down' | null
  readonly movedMs: number
  /** Since when it is unavailable; null if it is available, or was unavailable when it was first received. */
  readonly sinceMs: number | null
}

/** A cash-out from the first press to its outcome. */
export type CashOutFlow =
  /** The first press was made. `net` is the value that is shown, of the whole bet. */
  | {
      readonly stage: 'confirming'
      readonly percent: SharePercent
      readonly net: string
      /** The net value that was shown before it fell; null if it did not. */
      readonly fellFrom: string | null
      /** The highest value since the bettor was asked, and by how many percent it may fall before asking again. */
      readonly asked: string
      readonly tolerance: number
      readonly sinceMs: number
    }
  | {
      readonly stage: 'sending'
      readonly percent: SharePercent
      readonly net: string
      readonly sentMs: number
      readonly delaySeconds: number
      /** There was no answer, so that the same request is sent again. */
      readonly isUnsure: boolean
    }
  | { readonly stage: 'paid'; readonly paid: string }
  /** A settlement came first. */
  | { readonly stage: 'settled'; readonly state: BetState }
  /** `reason` is a code; `text` is the server's. Both null: it failed for another reason. */
  | { readonly stage: 'failed'; readonly reason: string | null; readonly text: string | null }

export interface CashOutState {
  /** The name of the bettor. */
  readonly owner: string | null
  /** By ticket id. A bet without an entry has no known value. */
  readonly values: Readonly<Record<string, HeldValue>>
  /** The connection was lost, so that the values may be old. */
  readonly isStale: boolean
  readonly flows: Readonly<Record<string, CashOutFlow>>
  /** Rules that were changed here, until a newer revision of the bet has them. */
  readonly rules: Readonly<Record<string, { readonly rule: CashOutRule | null; readonly revision: number }>>
}

export const NO_CASH_OUT: CashOutState = { owner: null, values: {}, isStale: false, flows: {}, rules: {} }

/** How long the second press is waited for. */
export const CONFIRM_MS = 5000
