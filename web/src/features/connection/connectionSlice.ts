/**
 * The live hub as the bettor sees it: whether it is there, what it says of the feed, and how its clock differs from
 * ours. What it says of the offer is the offer's slice.
 */
import { createSlice, type PayloadAction } from '@reduxjs/toolkit'
import type { FeedState } from '../../protocol/frames'

export interface ConnectionState {
  /** `connecting` until the first hello; `lost` from a loss until the next one. */
  status: 'connecting' | 'open' | 'lost'
  /** Attempts in vain since the connection was lost. */
  attempts: number
  session: string | null
  /** The server's version. */
  version: string | null
  /** Null until a hello has said it. */
  feed: FeedState | null
  /** What the server's clock is ahead of ours. */
  serverOffsetMs: number
}

const initialState: ConnectionState = {
  status: 'connecting',
  attempts: 0,
  session: null,
  version: null,
  feed: null,
  serverOffsetMs: 0,
}

export interface HelloSaid {
  session: string
  version: string
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
      ...payload,
    }),
    /** Our clock was set while the connection went on; what the server's is ahead of it now. */
    clockSet(state, { payload }: PayloadAction<number>) {
      state.serverOffsetMs = payload
    },
    /** Every time a connection ends or does not come about, except where we ended it ourselves. */
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
