/**
 * The ticket: the last state from the server, and the queue of changes that are not acknowledged yet. The page shows
 * the server's ticket with the queued changes applied (optimistic update). A rejected change is removed and so undone.
 */
import { createSlice, nanoid, original, type PayloadAction } from '@reduxjs/toolkit'
import { share } from '../../domain/sharing'
import type { TicketInfo, TicketWish } from '../../domain/ticket/ticket'
import { helloReceived } from '../connection/connectionSlice'
import { ticketReceived } from '../connection/hubMessages'

export interface WishEntry {
  readonly id: string
  readonly wish: TicketWish
}

export interface TicketState {
  readonly told: TicketInfo | null
  /** Whether the ticket was received on the current connection. */
  readonly fresh: boolean
  /** In the order in which they are sent. */
  readonly wishes: readonly WishEntry[]
}

const initialState: TicketState = { told: null, fresh: false, wishes: [] }

export const ticketSlice = createSlice({
  name: 'ticket',
  initialState,
  reducers: {
    wished: {
      prepare: (wish: TicketWish) => ({ payload: { id: nanoid(), wish } }),
      reducer(state, { payload }: PayloadAction<WishEntry>) {
        const held = original(state) ?? initialState
        return { ...held, wishes: [...held.wishes, payload] }
      },
    },
    /** The server has applied a change, or a later change replaces it. */
    wishSettled: (state, { payload }: PayloadAction<string>) => without(original(state) ?? initialState, payload),
    wishRefused: {
      prepare: (id: string, wish: TicketWish, code: string, text: string) => ({ payload: { id, wish, code, text } }),
      reducer: (state, { payload }: PayloadAction<WishEntry & { code: string; text: string }>) =>
        without(original(state) ?? initialState, payload.id),
    },
  },
  extraReducers: (builder) => {
    builder
      .addCase(helloReceived, (state) => {
        state.fresh = false
      })
      // The server always sends the whole ticket. Unchanged pairs keep their objects, so that they do not render again.
      .addCase(ticketReceived, (state, { payload }) => ({
        ...(original(state) ?? initialState),
        told: share(original(state)?.told, payload),
        fresh: true,
      }))
  },
})

function without(state: TicketState, id: string): TicketState {
  return { ...state, wishes: state.wishes.filter((entry) => entry.id !== id) }
}

export const { wished, wishSettled, wishRefused } = ticketSlice.actions
