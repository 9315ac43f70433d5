/**
 * The favourites: the last state from the server, and the changes that are not acknowledged yet (optimistic update).
 */
import { createSlice, nanoid, type PayloadAction } from '@reduxjs/toolkit'
import type { MatchId } from '../../domain/offer'
import { favouritesReceived } from '../connection/hubMessages'

interface Marking {
  id: string
  matchId: MatchId
  on: boolean
}

export interface FavouritesState {
  told: readonly MatchId[]
  /** In the order in which they were made. */
  markings: Marking[]
  /** The ids of the changes that are sent and not answered yet. */
  sent: string[]
}

const initialState: FavouritesState = { told: [], markings: [], sent: [] }

export const favouritesSlice = createSlice({
  name: 'favourites',
  initialState,
  reducers: {
    favouriteMarked: {
      prepare: (matchId: MatchId, on: boolean) => ({ payload: { id: nanoid(), matchId, on } }),
      reducer(state, { payload }: PayloadAction<Marking>) {
        state.markings.push(payload)
      },
    },
    markingSent(state, { payload }: PayloadAction<Marking>) {
      state.sent.push(payload.id)
    },
    /** The connection was lost before the answer: the change must be sent again. */
    markingLost(state, { payload }: PayloadAction<string>) {
      state.sent = state.sent.filter((id) => id !== payload)
    },
    /** The change was acknowledged or rejected. */
    markingSettled(state, { payload }: PayloadAction<string>) {
      state.markings = state.markings.filter(({ id }) => id !== payload)
      state.sent = state.sent.filter((id) => id !== payload)
    },
  },
  extraReducers: (builder) => {
    builder.addCase(favouritesReceived, (state, { payload }) => {
      state.told = [...payload]
    })
  },
})

export const { favouriteMarked, markingSent, markingLost, markingSettled } = favouritesSlice.actions
