/** The state of placing singles, with which a store begins. */
import type { ReckonedTicket } from '../../domain/ticket/ticket'
import type { Outcome } from './placementState'

/** One of the bets that were placed by one press. */
export interface SingleItem {
  readonly key: string
  readonly ticket: ReckonedTicket
  /** Null while it is not known. */
  readonly outcome: Outcome | null
}

export type SinglesOrderState =
  | { readonly stage: 'idle' }
  | { readonly stage: 'confirming'; readonly sinceMs: number }
  | {
      readonly stage: 'sending'
      readonly sentMs: number
      readonly delaySeconds: number
      readonly items: readonly SingleItem[]
      /** An answer is missing: the server is asked until it answers. */
      readonly isUnsure: boolean
      /** The user who placed them is not logged in, so that the server cannot be asked. */
      readonly login: boolean
      /** The bettor has closed the dialog, or another tab has sent the bets. */
      readonly isHidden: boolean
      /** Placed by one press on an odd. It has no dialog, and leaves the ticket as it is. */
      readonly isOnePress: boolean
    }
  | { readonly stage: 'known'; readonly items: readonly SingleItem[]; readonly isOnePress: boolean }

export const NO_SINGLES_ORDER: SinglesOrderState = { stage: 'idle' }
