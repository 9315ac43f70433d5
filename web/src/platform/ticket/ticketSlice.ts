/**
 * The ticket: the last state from the server, and the queue of changes that are not acknowledged yet. The page shows
 * the server's ticket with the queued changes applied (optimistic update). A rejected change is removed and so undone.
 */
import { createSlice, nanoid, original, type PayloadAction } from '@reduxjs/toolkit'
import { share } from '../../domain/sharing'
import type { TicketInfo, TicketPair, TicketWish } from '../../domain/ticket/ticket'
import type { BettorCommand } from '../../protocol/commands'
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
  /** The ids of the changes that are sent and not answered yet. */
  readonly sent: readonly string[]
  /** The pairs of the server's ticket before the last one. */
  readonly former: readonly TicketPair[]
}

const initialState: TicketState = { told: null, fresh: false, wishes: [], sent: [], former: [] }

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
    wishSent(state, { payload }: PayloadAction<WishEntry & { command: BettorCommand }>) {
      state.sent.push(payload.id)
    },
    /** The connection was lost before the answer: the change must be sent again. */
    wishLost(state, { payload }: PayloadAction<string>) {
      state.sent = state.sent.filter((id) => id !== payload)
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
      .addCase(ticketReceived, (state, { payload }) => {
        const held = original(state) ?? initialState
        return { ...held, told: share(held.told, payload), fresh: true, former: held.told?.pairs ?? [] }
      })
  },
})

function without(state: TicketState, id: string): TicketState {
  return {
    ...state,
    wishes: state.wishes.filter((entry) => entry.id !== id),
    sent: state.sent.filter((other) => other !== id),
  }
}

export const { wished, wishSent, wishLost, wishSettled, wishRefused } = ticketSlice.actions
