/** What is said to screen readers: one polite sentence at a time for the whole app. */
import { createAction, createSlice, type PayloadAction } from '@reduxjs/toolkit'
import type { TranslationKey } from '../../i18n/keys'

export interface Announcement {
  readonly key: TranslationKey
  readonly values: Readonly<Record<string, string | number>>
}

export interface AnnouncementsState {
  readonly current: Announcement | null
}

const initialState: AnnouncementsState = { current: null }

export const announcementsSlice = createSlice({
  name: 'announcements',
  initialState,
  reducers: {
    announced(state, { payload }: PayloadAction<Announcement>) {
      state.current = payload
    },
  },
})

export const { announced } = announcementsSlice.actions

/** Something to be said when its turn comes. */
export const announcementWished = createAction<Announcement>('announcements/wished')

export const selectAnnouncement = (state: { readonly announcements: AnnouncementsState }) => state.announcements.current
