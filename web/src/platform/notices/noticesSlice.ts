/** Toasts: each is a translation key with values. Listeners remove them after a time. */
import { createSlice, nanoid, type PayloadAction, type UnknownAction } from '@reduxjs/toolkit'
import type { TranslationKey } from '../../i18n/keys'

export interface Notice {
  id: string
  key: TranslationKey
  values: Record<string, string | number>
  /** An optional button: its translation key and the action it dispatches. */
  act?: NoticeAct | undefined
  /** Screen readers announce it at once. */
  isUrgent?: boolean | undefined
}

export interface NoticeAct {
  readonly key: TranslationKey
  readonly action: UnknownAction
}

export interface NoticesState {
  notices: Notice[]
}

const initialState: NoticesState = { notices: [] }

/** The most toasts at the same time; more could not be read. */
const AT_MOST = 3

export const noticesSlice = createSlice({
  name: 'notices',
  initialState,
  reducers: {
    noticeShown: {
      prepare: (
        key: TranslationKey,
        values: Record<string, string | number> = {},
        act?: NoticeAct,
        isUrgent?: boolean,
      ) => ({
        payload: { id: nanoid(), key, values, act, isUrgent },
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
