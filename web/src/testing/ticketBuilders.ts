/** Builds pairs and tickets for tests. Callers pass the fields that matter; all others have defaults. */

import { DEFAULT_RULES, type TicketRules } from '../domain/ticket/rules'
import { EMPTY_CHOICE, type TicketChoice, type TicketInfo, type TicketPair } from '../domain/ticket/ticket'
import { totals } from '../domain/ticket/totals'

let lastMatch = 90_000

export function aPair(pair: Partial<TicketPair>): TicketPair {
  lastMatch += 1
  return {
    matchId: lastMatch,
    marketId: lastMatch * 10,
    oddId: lastMatch * 100,
    sportId: 1,
    home: 'Dinamo Zagreb',
    away: 'Hajduk Split',
    marketName: 'Konačan ishod',
    oddName: '1',
    marketType: 1,
    marketSubType: 0,
    sbv: null,
    oddType: pair.oddName ?? '1',
    oddValue: 1850,
    pickedValue: pair.oddValue ?? 1850,
    canBet: true,
    reason: null,
    isFix: false,
    ...pair,
  }
}

/** A ticket with the totals that the server would send. */
export function aTicket(choice: Partial<TicketChoice> = {}, rules: TicketRules = DEFAULT_RULES): TicketInfo {
  const ticket = { ...EMPTY_CHOICE, ...choice }
  return { ...ticket, ...totals(ticket, rules), minimumStake: '1.00' }
}
