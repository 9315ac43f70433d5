/** A ticket as `POST live/send-ticket` takes it, and what it answers (CONTRACT 4). */

import type { TicketRules } from '../../domain/ticket/rules'
import type { TicketChoice, TicketTotals } from '../../domain/ticket/ticket'
import { totals } from '../../domain/ticket/totals'
import type { Receipt } from './placementSlice'

export type ReckonedTicket = TicketChoice & TicketTotals

export function orderBody(ticket: ReckonedTicket): Record<string, unknown> {
  const isSystem = ticket.type === 1
  return {
    stake: ticket.taxedStake,
    bruto: ticket.stake,
    potentialWin: ticket.possibleWin,
    winTax: ticket.winTax,
    payout: ticket.possiblePayout,
    systemType: isSystem ? ticket.combination : 0,
    consentForChangedOdss: ticket.consent === 'any',
    oddsPolicy: ticket.consent,
    pairs: ticket.pairs.map((pair) => ({
      matchId: pair.matchId,
      // The contract's name; it is the odd's id.
      marketId: pair.oddId,
      marketType: pair.marketType,
      marketSubType: pair.marketSubType,
      sbv: pair.sbv,
      oddType: pair.oddType,
      oddValue: pair.oddValue / 1000,
      // A standard ticket keeps fixes without effect, and is refused with them.
      isFix: isSystem && pair.isFix,
    })),
  }
}

/** The receipt of an answer of 200. What it does not say is as it was sent: the bet is placed all the same. */
export function receiptOf(
  body: Readonly<Record<string, unknown>>,
  ticket: ReckonedTicket,
  rules: TicketRules,
): Receipt {
  return {
    message: text(body['message']) ?? '',
    ticketId: text(body['ticketId']) ?? '',
    stake: ticket.stake,
    totalOdd: takenOdd(body['pairs'], ticket, rules),
    payout: amount(body['payout']) ?? ticket.possiblePayout,
    balance: amount(body['balance']),
  }
}

/** The total odd at the prices at which it was taken. */
function takenOdd(raw: unknown, ticket: ReckonedTicket, rules: TicketRules): string {
  const taken = new Map<unknown, unknown>(
    (Array.isArray(raw) ? raw : []).map((pair) => [pair?.matchId, pair?.oddValue] as const),
  )
  const pairs = ticket.pairs.map((pair) => {
    const value = taken.get(pair.matchId)
    return typeof value === 'number' ? { ...pair, oddValue: Math.round(value * 1000) } : pair
  })
  const isAsSent = pairs.every((pair, place) => pair.oddValue === ticket.pairs[place]?.oddValue)
  return isAsSent ? ticket.totalOdd : totals({ ...ticket, pairs }, rules).totalOdd
}

function text(raw: unknown): string | null {
  return typeof raw === 'string' ? raw : null
}

function amount(raw: unknown): string | null {
  return typeof raw === 'string' && /^\d+(\.\d+)?$/.test(raw) ? raw : null
}

/** The seconds a bet waits: those of its slowest sport. */
export function slowestDelay(ticket: TicketChoice, delays: Readonly<Record<string, number>>): number {
  const seconds = ticket.pairs.map(({ sportId }) => delays[sportId] ?? delays['default'] ?? 0)
  return Math.max(0, ...seconds)
}

/** Whether both bet on the same odds with the same stake. */
export function isSameBet(a: TicketChoice, b: TicketChoice): boolean {
  const signs = ({ pairs }: TicketChoice) => pairs.map(({ oddId }) => oddId).join()
  return signs(a) === signs(b) && a.stake === b.stake && a.type === b.type
}
