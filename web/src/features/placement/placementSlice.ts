/**
 * The state of placing a bet, as the bettor sees it. The outcome may stay unknown for a while. In that state no other
 * bet can be placed, and the server is asked until it answers.
 */
import { createSlice, type PayloadAction } from '@reduxjs/toolkit'
import type { AppStore } from '../../app/store'
import { type Inquiry, NOT_ASKED, NOT_PLACING, type Outcome, type PlacementState } from './placementState'

export const placementSlice = createSlice({
  name: 'placement',
  initialState: NOT_PLACING,
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

/** Adds the reducer to a store. Before that its part of the state does not change. */
export function addPlacement(store: AppStore): void {
  store.addReducers({ placement: placementSlice.reducer })
}
