/** The state of placing before its reducer is loaded (`addPlacement`), which the first paint does not need. */
import type { MatchId, OddId } from '../../domain/offer'
import type { Reason, ReckonedTicket } from '../../domain/ticket/ticket'

/** What the server accepted. Amounts and odds are decimal texts. */
export interface Receipt {
  readonly message: string
  readonly ticketId: string
  /** The number that people read; absent in the answer of an older server. */
  readonly ticketNumber?: string | undefined
  readonly stake: string
  /** Absent for a system, of which only the best case would have it. */
  readonly totalOdd?: string | undefined
  readonly payout: string
  readonly balance: string | null
  /** The ticket at the accepted prices; absent in a bet that an older client stored. */
  readonly ticket?: ReckonedTicket | undefined
}

/** A pair because of which a bet was rejected: its odd has changed, or it cannot be bet on. */
export interface PairChange {
  readonly matchId: MatchId
  readonly oddId: OddId
  /** The price that was sent, in thousandths. */
  readonly sentValue: number
  /** The price at the time of the answer, in thousandths; null without a price. */
  readonly currentValue: number | null
  /** Why the pair cannot be bet on; null if it can. */
  readonly reason: Reason | 'unknown' | null
}

export type Outcome =
  | { readonly kind: 'accepted'; readonly receipt: Receipt }
  /** The ticket is not valid; `reason` is the server's text for the bettor. */
  | {
      readonly kind: 'refused'
      readonly reason: string
      readonly changes?: readonly PairChange[]
      /** The stake that the bettor's own limit leaves, if that is the reason. */
      readonly left?: string
    }
  /** Any other answer (CONTRACT 4, *What the browser does*). */
  | { readonly kind: 'failed' }
  /** The server never received the bet, and it will not be sent again. */
  | { readonly kind: 'notPlaced' }

/** How far the client is in finding out an unknown outcome. */
export interface Inquiry {
  /** Waits so far before a request. Each is longer than the one before. */
  readonly waits: number
  /** The idempotency key was found unused. A second time shows that the bet was not placed. */
  readonly wasFree: boolean
  /** The server rejected the repeated order, but another one may have accepted it: the client only asks. */
  readonly isDoubted: boolean
}

export const NOT_ASKED: Inquiry = { waits: 0, wasFree: false, isDoubted: false }

export type PlacementState =
  | { readonly stage: 'idle' }
  /** The confirmation dialog is open. */
  | { readonly stage: 'confirming'; readonly sinceMs: number }
  /** The bet is sent, or waits for the in-play delay. */
  | { readonly stage: 'waiting'; readonly sentMs: number; readonly delaySeconds: number }
  /**
   * No answer shows the outcome. With `login`, the user who placed the bet must log in before the server can be asked.
   */
  | {
      readonly stage: 'unknown'
      readonly said: 'nothing' | 'popup' | 'communicationError' | 'error'
      readonly login: boolean
      readonly inquiry: Inquiry
    }
  /** `key` is that of the stored order with this outcome, and `shownMs` the time since when the outcome is shown. */
  | { readonly stage: 'known'; readonly outcome: Outcome; readonly key?: string; readonly shownMs?: number }

export const NOT_PLACING: PlacementState = { stage: 'idle' }
