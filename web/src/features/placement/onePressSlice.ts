/** The bet that was pressed and is not sent yet. */
import { createAction, createSlice, type PayloadAction } from '@reduxjs/toolkit'
import type { AppStore } from '../../app/store'
import type { OnePressBet, OnePressState } from './onePressState'

const onePressSlice = createSlice({
  name: 'onePress',
  initialState: null as OnePressState,
  reducers: {
    onePressBegun: (_, { payload }: PayloadAction<OnePressBet>): OnePressState => payload,
    /** The bettor took it back, or it may not be sent. */
    onePressUndone: (): OnePressState => null,
  },
  extraReducers: (builder) => {
    builder.addCase(onePressDue, (): OnePressState => null)
  },
})

/** Nothing has taken the bet back: it is sent. */
export const onePressDue = createAction<OnePressBet>('onePress/onePressDue')

export const { onePressBegun, onePressUndone } = onePressSlice.actions

export const selectOnePressBet = (state: { readonly onePress?: OnePressState }): OnePressState => state.onePress ?? null

/** Adds the reducer to a store. */
export function addOnePress(store: AppStore): void {
  store.addReducers({ onePress: onePressSlice.reducer })
}
