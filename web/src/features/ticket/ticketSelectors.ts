/** What the list asks of the ticket. The panel's own questions are in `totalsSelectors.ts`, which comes later. */
import type { OddId } from '../../domain/offer'
import { EMPTY_CHOICE, type TicketChoice, type TicketInfo, type TicketPair, withWish } from '../../domain/ticket/ticket'
import { remember } from '../offer/sharing'
import type { TicketState, WishEntry } from './ticketSlice'

export interface WithTicket {
  readonly ticket: TicketState
}

const choice = remember(
  (told: TicketInfo | null, wishes: readonly WishEntry[]): TicketChoice =>
    wishes.reduce<TicketChoice>((ticket, { wish }) => withWish(ticket, wish), told ?? EMPTY_CHOICE),
)

/** The ticket as the bettor wants it. */
export const selectChoice = (state: WithTicket) => choice(state.ticket.told, state.ticket.wishes)

export const selectPairCount = (state: WithTicket) => selectChoice(state).pairs.length

/** Whether the server has told all that the bettor wishes. */
export const selectIsSettled = ({ ticket }: WithTicket) => ticket.fresh && ticket.wishes.length === 0

const pickedOdds = remember(
  (pairs: readonly TicketPair[]): ReadonlySet<OddId> => new Set(pairs.map(({ oddId }) => oddId)),
)

export const selectIsPicked = (state: WithTicket, oddId: OddId) => pickedOdds(selectChoice(state).pairs).has(oddId)
