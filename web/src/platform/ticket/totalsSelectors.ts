/**
 * The ticket with its totals: from the server, or calculated here while changes are not acknowledged.
 *
 * A system begins with two pairs. With fewer the ticket is shown and placed as a standard one, whatever type the server
 * keeps: nothing could be chosen, and the bet would be the same.
 */

import type { ToldRules } from '../../api/ticketApi'
import { remember } from '../../domain/sharing'
import { freePairs, type ReckonedTicket, type TicketChoice, waitsForFeed } from '../../domain/ticket/ticket'
import { builderCode, totals } from '../../domain/ticket/totals'
import { selectRules } from './rulesSlice'
import { selectChoice, type WithTicket } from './ticketSelectors'

interface State extends WithTicket {
  readonly rules: ToldRules | null
}

const reckoned = remember(
  (choice: TicketChoice, rules: ToldRules['rules']): ReckonedTicket => ({ ...choice, ...totals(choice, rules) }),
)

/** The fewest pairs of a system. */
export const SYSTEM_FROM = 2

const standard = remember((choice: TicketChoice): TicketChoice => ({ ...choice, type: 0 }))

function asPlaced(choice: TicketChoice): TicketChoice {
  return choice.type === 1 && choice.pairs.length < SYSTEM_FROM ? standard(choice) : choice
}

export function selectTicket(state: State): ReckonedTicket {
  const { told, wishes } = state.ticket
  const choice = asPlaced(selectChoice(state))
  return told && wishes.length === 0 && choice === told ? told : reckoned(choice, selectRules(state))
}

/** Whether the totals are without taxes because these are not known: before a login, or before the rules are loaded. */
export function selectIsBeforeTax(state: State, ticket = selectTicket(state)): boolean {
  const { stakeTaxPercentage, winTaxPercentage } = ticket
  return state.rules === null && stakeTaxPercentage === 0 && winTaxPercentage === 0
}

export const selectBuilderCode = (state: State) => builderCode(asPlaced(selectChoice(state)))

/** Whether the ticket cannot be placed only because the feed does not arrive. */
export const selectWaitsForFeed = (state: State) => isWaiting(selectChoice(state))

function isWaiting({ pairs }: TicketChoice): boolean {
  const locked = pairs.filter(({ canBet }) => !canBet)
  return locked.length > 0 && locked.every(waitsForFeed)
}

/** The notice for the reason why the ticket cannot be placed yet; null if it can. */
export function obstacleTo(choice: TicketChoice) {
  const ticket = asPlaced(choice)
  const code = builderCode(ticket)
  if (code === 1 && isWaiting(ticket)) {
    return 'pairsWait' as const
  }
  // There is no combination to choose from.
  if (code === 0 && freePairs(ticket) < SYSTEM_FROM) {
    return 'combinationsNeedPairs' as const
  }
  return code === null ? null : BUILDER_TEXTS[code]
}

const BUILDER_TEXTS = {
  0: 'liveAtLeastOneComb',
  1: 'liveRemoveDisabledPairs',
  2: 'liveEmptyTicketPairs',
} as const
