/** The rules a ticket is reckoned by, and how long a bet waits, as the server told them; null until it has. */
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

const NO_DELAYS: ToldRules['delays'] = {}
