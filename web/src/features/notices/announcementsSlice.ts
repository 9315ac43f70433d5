/** The current announcement for screen readers. There is one for the whole app. */
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

/** Requests an announcement; it may have to wait or be replaced by a newer one. */
export const announcementWished = createAction<Announcement>('announcements/wished')

export const selectAnnouncement = (state: { readonly announcements: AnnouncementsState }) => state.announcements.current
