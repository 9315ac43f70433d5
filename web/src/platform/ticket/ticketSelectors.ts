/** Ticket selectors for the list. Those of the ticket panel are in `totalsSelectors.ts`, which is loaded later. */
import type { OddId } from '../../domain/offer'
import { remember } from '../../domain/sharing'
import { EMPTY_CHOICE, type TicketChoice, type TicketInfo, type TicketPair, withWish } from '../../domain/ticket/ticket'
import type { TicketState, WishEntry } from './ticketSlice'

export interface WithTicket {
  readonly ticket: TicketState
}

const wanted = remember(
  (told: TicketInfo | null, wishes: readonly WishEntry[]): TicketChoice =>
    wishes.reduce<TicketChoice>((ticket, { wish }) => withWish(ticket, wish), told ?? EMPTY_CHOICE),
)

/** The ticket with the queued changes applied; with an empty queue, the same object that the server sent. */
export function selectChoice({ ticket: { told, wishes } }: WithTicket): TicketChoice {
  return wishes.length === 0 ? (told ?? EMPTY_CHOICE) : wanted(told, wishes)
}

export const selectPairCount = (state: WithTicket) => selectChoice(state).pairs.length

const pickedOdds = remember(
  (pairs: readonly TicketPair[]): ReadonlySet<OddId> => new Set(pairs.map(({ oddId }) => oddId)),
)

export const selectIsPicked = (state: WithTicket, oddId: OddId) => pickedOdds(selectChoice(state).pairs).has(oddId)
