/** The current announcements for screen readers, for the whole app: one that waits for its turn and an urgent one. */
import { createAction, createSlice, type PayloadAction } from '@reduxjs/toolkit'
import type { TranslationKey } from '../../i18n/keys'

export interface Announcement {
  readonly key: TranslationKey
  readonly values: Readonly<Record<string, string | number>>
}

export interface AnnouncementsState {
  readonly current: Announcement | null
  /** Announced at once: the outcome of a bet. */
  readonly urgent: Announcement | null
}

const initialState: AnnouncementsState = { current: null, urgent: null }

export const announcementsSlice = createSlice({
  name: 'announcements',
  initialState,
  reducers: {
    announced(state, { payload }: PayloadAction<Announcement>) {
      state.current = payload
    },
    announcedAtOnce(state, { payload }: PayloadAction<Announcement>) {
      state.urgent = payload
    },
  },
})

export const { announced, announcedAtOnce } = announcementsSlice.actions

/** Requests an announcement; it may have to wait or be replaced by a newer one. */
export const announcementWished = createAction<Announcement>('announcements/wished')

export const selectAnnouncement = (state: { readonly announcements: AnnouncementsState }) => state.announcements.current
export const selectUrgentAnnouncement = (state: { readonly announcements: AnnouncementsState }) =>
  state.announcements.urgent
