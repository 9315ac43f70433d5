/** The ticket with its totals: from the server, or calculated here while changes are not acknowledged. */

import type { ToldRules } from '../../api/ticketApi'
import { remember } from '../../domain/sharing'
import { type ReckonedTicket, type TicketChoice, waitsForFeed } from '../../domain/ticket/ticket'
import { builderCode, totals } from '../../domain/ticket/totals'
import { selectRules } from './rulesSlice'
import { selectChoice, type WithTicket } from './ticketSelectors'

interface State extends WithTicket {
  readonly rules: ToldRules | null
}

const reckoned = remember(
  (choice: TicketChoice, rules: ToldRules['rules']): ReckonedTicket => ({ ...choice, ...totals(choice, rules) }),
)

export function selectTicket(state: State): ReckonedTicket {
  const { told, wishes } = state.ticket
  return told && wishes.length === 0 ? told : reckoned(selectChoice(state), selectRules(state))
}

export const selectBuilderCode = (state: State) => builderCode(selectChoice(state))

/** Whether the ticket cannot be placed only because the feed does not arrive. */
export const selectWaitsForFeed = (state: State) => isWaiting(selectChoice(state))

function isWaiting({ pairs }: TicketChoice): boolean {
  const locked = pairs.filter(({ canBet }) => !canBet)
  return locked.length > 0 && locked.every(waitsForFeed)
}

/** The notice for the reason why the ticket cannot be placed yet; null if it can. */
export function obstacleTo(ticket: TicketChoice) {
  const code = builderCode(ticket)
  return code === null ? null : code === 1 && isWaiting(ticket) ? ('pairsWait' as const) : BUILDER_TEXTS[code]
}

const BUILDER_TEXTS = {
  0: 'liveAtLeastOneComb',
  1: 'liveRemoveDisabledPairs',
  2: 'liveEmptyTicketPairs',
} as const
