/**
 * The ticket: as the server told it last, and what the bettor wished for since that is not acknowledged yet. What is
 * shown is the one laid over the other; a wish that is refused falls away, and with it what it did.
 */
import { createSlice, nanoid, original, type PayloadAction } from '@reduxjs/toolkit'
import type { TicketInfo, TicketWish } from '../../domain/ticket/ticket'
import { helloReceived } from '../connection/connectionSlice'
import { share } from '../offer/sharing'

export interface WishEntry {
  readonly id: string
  readonly wish: TicketWish
}

export interface TicketState {
  readonly told: TicketInfo | null
  /** Whether it was told on the connection there is. */
  readonly fresh: boolean
  /** In the order of saying. */
  readonly wishes: readonly WishEntry[]
}

const initialState: TicketState = { told: null, fresh: false, wishes: [] }

export const ticketSlice = createSlice({
  name: 'ticket',
  initialState,
  reducers: {
    ticketTold(state, { payload }: PayloadAction<TicketInfo>) {
      // Told whole each time: a pair that did not change stays the very same object.
      return { ...(original(state) ?? initialState), told: share(original(state)?.told, payload), fresh: true }
    },
    wished: {
      prepare: (wish: TicketWish) => ({ payload: { id: nanoid(), wish } }),
      reducer(state, { payload }: PayloadAction<WishEntry>) {
        const held = original(state) ?? initialState
        return { ...held, wishes: [...held.wishes, payload] }
      },
    },
    /** The server has told what came of a wish, or a later one stands for it. */
    wishSettled: (state, { payload }: PayloadAction<string>) => without(original(state) ?? initialState, payload),
    wishRefused: {
      prepare: (id: string, wish: TicketWish, code: string, text: string) => ({ payload: { id, wish, code, text } }),
      reducer: (state, { payload }: PayloadAction<WishEntry & { code: string; text: string }>) =>
        without(original(state) ?? initialState, payload.id),
    },
  },
  extraReducers: (builder) => {
    builder.addCase(helloReceived, (state) => {
      state.fresh = false
    })
  },
})

function without(state: TicketState, id: string): TicketState {
  return { ...state, wishes: state.wishes.filter((entry) => entry.id !== id) }
}

export const { ticketTold, wished, wishSettled, wishRefused } = ticketSlice.actions
