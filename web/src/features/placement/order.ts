/** The request body and the receipt of `POST live/send-ticket` (CONTRACT 4). */

import type { TicketRules } from '../../domain/ticket/rules'
import { REASONS, type ReckonedTicket, type TicketChoice } from '../../domain/ticket/ticket'
import { totals } from '../../domain/ticket/totals'
import type { PairChange, Receipt } from './placementState'
import type { Prices } from './placingSteps'

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
      // Named so by the contract, but it is the id of the odd.
      marketId: pair.oddId,
      marketType: pair.marketType,
      marketSubType: pair.marketSubType,
      sbv: pair.sbv,
      oddType: pair.oddType,
      oddValue: pair.oddValue / 1000,
      // A standard ticket keeps its fixes without effect, but the server rejects it if they are sent.
      isFix: isSystem && pair.isFix,
    })),
  }
}

/** The receipt from an answer with status 200. Missing fields are filled from the ticket: the bet is placed anyway. */
export function receiptOf(
  body: Readonly<Record<string, unknown>>,
  ticket: ReckonedTicket,
  rules: TicketRules,
): Receipt {
  const taken = takenTicket(body['pairs'], ticket, rules)
  return {
    message: text(body['message']) ?? '',
    ticketId: text(body['ticketId']) ?? '',
    ticketNumber: text(body['ticketNumber']) ?? undefined,
    stake: ticket.stake,
    totalOdd: ticket.type === 1 ? undefined : taken.totalOdd,
    payout: amount(body['payout']) ?? ticket.possiblePayout,
    balance: amount(body['balance']),
    ticket: taken,
  }
}

/** The pairs because of which the server rejected a bet; those that cannot be read are left out. */
export function changesOf(body: Readonly<Record<string, unknown>>): PairChange[] {
  const { pairs } = body
  return (Array.isArray(pairs) ? pairs : []).flatMap((raw: Readonly<Record<string, unknown>> | null) => {
    const { matchId, marketId, oddValue, currentValue, reason } = raw ?? {}
    if (typeof matchId !== 'number' || typeof marketId !== 'number' || typeof oddValue !== 'number') {
      return []
    }
    return {
      matchId,
      oddId: marketId,
      sentValue: Math.round(oddValue * 1000),
      currentValue: typeof currentValue === 'number' ? Math.round(currentValue * 1000) : null,
      reason: typeof reason === 'string' ? (REASONS.find((known) => known === reason) ?? 'unknown') : null,
    }
  })
}

/** The stake that an own limit leaves, if that is why the server rejected a bet. */
export function leftOf(body: Readonly<Record<string, unknown>>): { readonly left?: string } {
  const left = amount(body['left'])
  return left === null ? {} : { left }
}

/** The ticket at the prices that the server accepted. */
function takenTicket(raw: unknown, ticket: ReckonedTicket, rules: TicketRules): ReckonedTicket {
  const told: readonly (Readonly<Record<string, unknown>> | null)[] = Array.isArray(raw) ? raw : []
  const prices = new Map<number, number>()
  for (const pair of told) {
    const { matchId, oddValue } = pair ?? {}
    if (typeof matchId === 'number' && typeof oddValue === 'number') {
      prices.set(matchId, Math.round(oddValue * 1000))
    }
  }
  const isAsSent = ticket.pairs.every(({ matchId, oddValue }) => (prices.get(matchId) ?? oddValue) === oddValue)
  return isAsSent ? ticket : withPrices(ticket, prices, rules)
}

function text(raw: unknown): string | null {
  return typeof raw === 'string' ? raw : null
}

function amount(raw: unknown): string | null {
  return typeof raw === 'string' && /^\d+(\.\d+)?$/.test(raw) ? raw : null
}

/** The ticket at other prices, with the totals of these. */
export function withPrices(ticket: ReckonedTicket, prices: Prices, rules: TicketRules): ReckonedTicket {
  const pairs = ticket.pairs.map((pair) => ({ ...pair, oddValue: prices.get(pair.matchId) ?? pair.oddValue }))
  return { ...ticket, pairs, ...totals({ ...ticket, pairs }, rules) }
}

/** The in-play delay of a bet in seconds: the longest delay of its sports. */
export function slowestDelay(ticket: TicketChoice, delays: Readonly<Record<string, number>>): number {
  const seconds = ticket.pairs.map(({ sportId }) => delays[sportId] ?? delays['default'] ?? 0)
  return Math.max(0, ...seconds)
}

/** Whether both tickets have the same odds, stake and type. */
export function isSameBet(a: TicketChoice, b: TicketChoice): boolean {
  const signs = ({ pairs }: TicketChoice) => pairs.map(({ oddId }) => oddId).join()
  return signs(a) === signs(b) && a.stake === b.stake && a.type === b.type
}

const FINAL: ReadonlySet<string> = new Set(['match_gone', 'market_settled', 'betting_stopped'])

/** Whether a pair will not be bettable again: waiting for it is useless. */
export function isFinal(reason: PairChange['reason']): boolean {
  return reason !== null && FINAL.has(reason)
}
