import type { ConnectionState } from './connectionSlice'

interface State {
  readonly connection: ConnectionState
}

export const selectConnectionStatus = (state: State) => state.connection.status
export const selectFeed = (state: State) => state.connection.feed
export const selectServerOffset = (state: State) => state.connection.serverOffsetMs
