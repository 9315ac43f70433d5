/**
 * What the page keeps of tickets that the server no longer has: the pairs that were lost with their matches, and the
 * ticket that waits for a login. Its reducer is loaded after the first paint.
 */
import { createSlice, type PayloadAction } from '@reduxjs/toolkit'
import type { AppStore } from '../../app/store'
import type { ReckonedTicket, TicketPair } from '../../domain/ticket/ticket'
import { loggedOut, memberSeen } from '../account/accountSlice'
import { wished } from './ticketSlice'

export interface KeptTicketState {
  readonly lostPairs: readonly TicketPair[]
  /** The ticket at the time when a login was asked for, or when the session ended. */
  readonly waiting: ReckonedTicket | null
}

const initialState: KeptTicketState = { lostPairs: [], waiting: null }

const keptTicketSlice = createSlice({
  name: 'keptTicket',
  initialState,
  reducers: {
    pairsLost: (state, { payload }: PayloadAction<readonly TicketPair[]>): KeptTicketState => ({
      ...state,
      lostPairs: [...state.lostPairs, ...payload],
    }),
    lostPairsRead: (state): KeptTicketState => ({ ...state, lostPairs: [] }),
    ticketKept: (state, { payload }: PayloadAction<ReckonedTicket>): KeptTicketState => ({
      ...state,
      waiting: payload,
    }),
    ticketForgotten: (state): KeptTicketState => ({ ...state, waiting: null }),
  },
  extraReducers: (builder) => {
    builder
      .addCase(wished, (state, { payload: { wish } }): KeptTicketState | undefined =>
        wish.wish === 'pick' && state.lostPairs.length > 0 ? { ...state, lostPairs: [] } : undefined,
      )
      .addCase(memberSeen, (state): KeptTicketState | undefined =>
        state.waiting ? { ...state, waiting: null } : undefined,
      )
      // The next user of this browser must not see it.
      .addCase(loggedOut, () => initialState)
  },
})

export const { pairsLost, lostPairsRead, ticketKept, ticketForgotten } = keptTicketSlice.actions

interface State {
  readonly keptTicket?: KeptTicketState
}

export const selectLostPairs = (state: State) => state.keptTicket?.lostPairs ?? initialState.lostPairs
export const selectWaitingTicket = (state: State) => state.keptTicket?.waiting ?? null

/** Adds the reducer to a store. */
export function addKeptTicket(store: AppStore): void {
  store.addReducers({ keptTicket: keptTicketSlice.reducer })
}
