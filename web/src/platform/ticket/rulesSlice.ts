/** The rules for calculating a ticket and the in-play delays, as the server sent them; null until they are loaded. */
import { createSlice, type PayloadAction } from '@reduxjs/toolkit'
import type { ToldRules } from '../../api/ticketApi'
import { DEFAULT_RULES } from '../../domain/ticket/rules'

export const rulesSlice = createSlice({
  name: 'rules',
  initialState: null as ToldRules | null,
  reducers: {
    rulesTold: (_state, { payload }: PayloadAction<ToldRules | null>) => payload,
  },
})

export const { rulesTold } = rulesSlice.actions

export const selectRules = (state: { readonly rules: ToldRules | null }) => state.rules?.rules ?? DEFAULT_RULES
export const selectDelays = (state: { readonly rules: ToldRules | null }) => state.rules?.delays ?? NO_DELAYS
export const selectCashOutRules = (state: { readonly rules: ToldRules | null }) => state.rules?.cashOut ?? null

const NO_DELAYS: ToldRules['delays'] = {}
