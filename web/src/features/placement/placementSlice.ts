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

/** How far the client is in finding out an unknown outcome. */
export interface Inquiry {
  /** Waits so far before a request. Each is longer than the one before. */
  readonly waits: number
  /** The idempotency key was found unused. A second time shows that the bet was not placed. */
  readonly wasFree: boolean
  /** The server rejected the repeated order, but another one may have accepted it: the client only asks. */
  readonly isDoubted: boolean
}

const NOT_ASKED: Inquiry = { waits: 0, wasFree: false, isDoubted: false }

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
      inquiry: selectInquiry({ placement: state }),
    }),
    /** The next request about the outcome follows after `payload` ms. */
    requestDelayed: (state, { payload: _ }: PayloadAction<number>) =>
      withInquiry(state, { waits: selectInquiry({ placement: state }).waits + 1 }),
    /** The server has not processed the order yet. */
    keyFree: (state) => withInquiry(state, { wasFree: true }),
    rejectionDoubted: (state) => withInquiry(state, { isDoubted: true }),
    /** The message about the unknown outcome was closed, or its time is over. */
    unknownRead: (state): PlacementState => (state.stage === 'unknown' ? { ...state, said: 'nothing' } : state),
    outcomeKnown: {
      prepare: (outcome: Outcome, order: { key?: string; shownMs?: number } = {}) => ({
        payload: { outcome, ...order },
      }),
      reducer: (
        _,
        { payload }: PayloadAction<{ outcome: Outcome; key?: string; shownMs?: number }>,
      ): PlacementState => ({ stage: 'known', ...payload }),
    },
    outcomeRead: (state): PlacementState => (state.stage === 'known' ? { stage: 'idle' } : state),
  },
})

export const {
  confirmationAsked,
  confirmationDeclined,
  placementSent,
  placementAbandoned,
  outcomeUnknown,
  requestDelayed,
  keyFree,
  rejectionDoubted,
  unknownRead,
  outcomeKnown,
  outcomeRead,
} = placementSlice.actions

interface State {
  readonly placement: PlacementState
}

export const selectPlacement = (state: State) => state.placement
export const selectInquiry = ({ placement }: State) => (placement.stage === 'unknown' ? placement.inquiry : NOT_ASKED)

function withInquiry(state: PlacementState, inquiry: Partial<Inquiry>): PlacementState {
  return state.stage === 'unknown' ? { ...state, inquiry: { ...state.inquiry, ...inquiry } } : state
}
