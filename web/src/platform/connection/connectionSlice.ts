/** The state of the hub connection and of the feed, and the clock offset. The offer itself is in `offerSlice.ts`. */
import { createSlice, type PayloadAction } from '@reduxjs/toolkit'
import type { FeedState } from '../../protocol/frames'

export interface ConnectionState {
  /** `connecting` until the first hello; `lost` from a loss until the next hello. */
  status: 'connecting' | 'open' | 'lost'
  /** Failed attempts since the connection was lost. */
  attempts: number
  session: string | null
  /** The server's version; null until the first hello. */
  version: string | null
  /** The run of the server; empty until the first hello. Revisions can be compared within one run only. */
  run: string
  /** Null until the first hello. */
  feed: FeedState | null
  /** The server's clock minus ours, in ms. */
  serverOffsetMs: number
}

const initialState: ConnectionState = {
  status: 'connecting',
  attempts: 0,
  session: null,
  version: null,
  run: '',
  feed: null,
  serverOffsetMs: 0,
}

export interface HelloSaid {
  session: string
  version: string
  run?: string
  feed: FeedState
  serverOffsetMs: number
}

export const connectionSlice = createSlice({
  name: 'connection',
  initialState,
  reducers: {
    helloReceived: (_, { payload }: PayloadAction<HelloSaid>): ConnectionState => ({
      status: 'open',
      attempts: 0,
      run: '',
      ...payload,
    }),
    /** Our clock was set during the connection. The payload is the new offset in ms. */
    clockSet(state, { payload }: PayloadAction<number>) {
      state.serverOffsetMs = payload
    },
    /** A connection ended or an attempt failed. Not dispatched if the client closed the connection itself. */
    connectionLost(state) {
      state.status = 'lost'
      state.attempts += 1
    },
    feedChanged(state, { payload }: PayloadAction<FeedState>) {
      state.feed = payload
    },
  },
})

export const { helloReceived, clockSet, connectionLost, feedChanged } = connectionSlice.actions
