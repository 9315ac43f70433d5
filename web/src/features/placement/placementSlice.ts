/**
 * The state of placing a bet, as the bettor sees it. The outcome may stay unknown for a while. In that state no other
 * bet can be placed, and the server is asked until it answers.
 */
import { createSlice, type PayloadAction } from '@reduxjs/toolkit'
import type { MatchId, OddId } from '../../domain/offer'
import type { Reason } from '../../domain/ticket/ticket'

/** What the server accepted. Amounts and odds are decimal texts. */
export interface Receipt {
  readonly message: string
  readonly ticketId: string
  /** The number that people read; absent in the answer of an older server. */
  readonly ticketNumber?: string | undefined
  readonly stake: string
  readonly totalOdd: string
  readonly payout: string
  readonly balance: string | null
}

/** A pair because of which a bet was rejected: its odd has changed, or it cannot be bet on. */
export interface PairChange {
  readonly matchId: MatchId
  readonly oddId: OddId
  /** The price that was sent, in thousandths. */
  readonly sentValue: number
  /** The price at the time of the answer, in thousandths; null if there is none. */
  readonly currentValue: number | null
  /** Why the pair cannot be bet on; null if it can. */
  readonly reason: Reason | 'unknown' | null
}

export type Outcome =
  | { readonly kind: 'accepted'; readonly receipt: Receipt }
  /** The ticket is not valid; `reason` is the server's text for the bettor. */
  | { readonly kind: 'refused'; readonly reason: string; readonly changes?: readonly PairChange[] }
  /** Any other answer (CONTRACT 4, *What the browser does*). */
  | { readonly kind: 'failed' }
  /** The server never received the bet, and it will not be sent again. */
  | { readonly kind: 'notPlaced' }

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
    }
  | { readonly stage: 'known'; readonly outcome: Outcome }

export const placementSlice = createSlice({
  name: 'placement',
  initialState: { stage: 'idle' } as PlacementState,
  reducers: {
    confirmationAsked: (state, { payload }: PayloadAction<number>): PlacementState =>
      state.stage === 'idle' || state.stage === 'known' ? { stage: 'confirming', sinceMs: payload } : state,
    confirmationDeclined: (state): PlacementState => (state.stage === 'confirming' ? { stage: 'idle' } : state),
    placementSent: (state, { payload }: PayloadAction<{ sentMs: number; delaySeconds: number }>): PlacementState =>
      state.stage === 'confirming' || state.stage === 'known' ? { stage: 'waiting', ...payload } : state,
    /** Nothing was sent, or the server certainly did not process it. */
    placementAbandoned: (): PlacementState => ({ stage: 'idle' }),
    outcomeUnknown: (
      state,
      { payload }: PayloadAction<{ said?: 'popup' | 'communicationError' | 'error'; login?: boolean }>,
    ): PlacementState => ({
      stage: 'unknown',
      said: payload.said ?? (state.stage === 'unknown' ? state.said : 'nothing'),
      login: payload.login ?? false,
    }),
    /** The message about the unknown outcome was closed, or its time is over. */
    unknownRead: (state): PlacementState => (state.stage === 'unknown' ? { ...state, said: 'nothing' } : state),
    outcomeKnown: (_, { payload }: PayloadAction<Outcome>): PlacementState => ({ stage: 'known', outcome: payload }),
    outcomeRead: (state): PlacementState => (state.stage === 'known' ? { stage: 'idle' } : state),
  },
})

export const {
  confirmationAsked,
  confirmationDeclined,
  placementSent,
  placementAbandoned,
  outcomeUnknown,
  unknownRead,
  outcomeKnown,
  outcomeRead,
} = placementSlice.actions

export const selectPlacement = (state: { readonly placement: PlacementState }) => state.placement
