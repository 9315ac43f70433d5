/** Short messages to the bettor (toasts): a key of the translations with its values. Listeners take them away. */
import { createSlice, nanoid, type PayloadAction, type UnknownAction } from '@reduxjs/toolkit'
import type { TranslationKey } from '../../i18n/keys'

export interface Notice {
  id: string
  key: TranslationKey
  values: Record<string, string | number>
  /** What can be done about it: its name, and what is dispatched. */
  act?: NoticeAct | undefined
}

export interface NoticeAct {
  readonly key: TranslationKey
  readonly action: UnknownAction
}

export interface NoticesState {
  notices: Notice[]
}

const initialState: NoticesState = { notices: [] }

/** As many at once as can be read. */
const AT_MOST = 3

export const noticesSlice = createSlice({
  name: 'notices',
  initialState,
  reducers: {
    noticeShown: {
      prepare: (key: TranslationKey, values: Record<string, string | number> = {}, act?: NoticeAct) => ({
        payload: { id: nanoid(), key, values, act },
      }),
      reducer(state, { payload }: PayloadAction<Notice>) {
        state.notices = [...state.notices, payload].slice(-AT_MOST)
      },
    },
    noticeDismissed(state, { payload }: PayloadAction<string>) {
      state.notices = state.notices.filter((notice) => notice.id !== payload)
    },
  },
})

export const { noticeShown, noticeDismissed } = noticesSlice.actions
