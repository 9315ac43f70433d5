/**
 * A bet being placed, as the bettor sees it. What came of it may stay unknown for a while: that is a state of its own,
 * in which no other bet can be placed and the server is asked until it has said.
 */
import { createSlice, type PayloadAction } from '@reduxjs/toolkit'

/** What the server took, and at what. */
export interface Receipt {
  readonly message: string
  readonly ticketId: string
  readonly stake: string
  readonly totalOdd: string
  readonly payout: string
  readonly balance: string | null
}

export type Outcome =
  | { readonly kind: 'accepted'; readonly receipt: Receipt }
  /** In the server's words, for something wrong with the ticket. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** By any other answer (CONTRACT 4, *What the browser does*). */
  | { readonly kind: 'failed' }
  /** The server never got it, and now it will not be sent any more. */
  | { readonly kind: 'notPlaced' }

export type PlacementState =
  | { readonly stage: 'idle' }
  /** The bettor is asked whether to place it. */
  | { readonly stage: 'confirming'; readonly sinceMs: number }
  /** It is on its way, or waits its seconds. */
  | { readonly stage: 'waiting'; readonly sentMs: number; readonly delaySeconds: number }
  /** There was no answer, or none that says what came of it; `login`: it can only be asked by who placed it. */
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
      state.stage === 'confirming' ? { stage: 'waiting', ...payload } : state,
    /** Nothing was sent, or it is known that it was not taken up. */
    placementAbandoned: (): PlacementState => ({ stage: 'idle' }),
    outcomeUnknown: (
      state,
      { payload }: PayloadAction<{ said?: 'popup' | 'communicationError' | 'error'; login?: boolean }>,
    ): PlacementState => ({
      stage: 'unknown',
      said: payload.said ?? (state.stage === 'unknown' ? state.said : 'nothing'),
      login: payload.login ?? false,
    }),
    /** What was said of it has been read, or its time is over. */
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
