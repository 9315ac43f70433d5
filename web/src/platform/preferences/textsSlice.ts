/** The language whose texts are loaded; null until the first are. The page is not shown before. */
import { createSlice, type PayloadAction } from '@reduxjs/toolkit'
import type { Language } from './preferencesSlice'

export interface TextsState {
  language: Language | null
}

const initialState: TextsState = { language: null }

export const textsSlice = createSlice({
  name: 'texts',
  initialState,
  reducers: {
    textsLoaded(state, { payload }: PayloadAction<Language>) {
      state.language = payload
    },
  },
})

export const { textsLoaded } = textsSlice.actions

export const selectHasTexts = (state: { readonly texts: TextsState }) => state.texts.language !== null
