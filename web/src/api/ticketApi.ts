/** The calls of a ticket (CONTRACT 2 and 4). */
import type { CashOutRules } from '../domain/cashOut'
import type { TaxRule, TicketRules } from '../domain/ticket/rules'
import { bool, decimal, fail, listOf, oneOf, optional, record } from '../protocol/read'
import { type Order, sendOrder } from './order'
import { json, readBody, request } from './request'

export interface ToldRules {
  readonly rules: TicketRules
  /** Seconds by sport; `default` for the others. */
  readonly delays: Readonly<Record<string, number>>
  /** Absent or null: the server has no cash-out. */
  readonly cashOut?: CashOutRules | null
}

export async function fetchRules(signal: AbortSignal): Promise<ToldRules> {
  const answer = await request({ path: 'live/rules', accept: 'application/json', signal })
  return readBody(answer, json, (raw) => {
    const { tax, limits, delays, cashOut } = record(raw)
    const { minStake, maxStake, maxPayout, maxTotalOdd, winTaxMode, taxableWin } = record(limits)
    return {
      rules: {
        tax: listOf(readTax)(tax),
        minStake: number(minStake),
        maxStake: number(maxStake),
        maxPayout: number(maxPayout),
        maxTotalOdd: number(maxTotalOdd),
        winTaxMode: oneOf('marginal', 'whole')(winTaxMode),
        taxableWin: oneOf('profit', 'win')(taxableWin),
      },
      delays: Object.fromEntries(
        Object.entries(optional(record)(delays) ?? {}).filter((entry): entry is [string, number] =>
          Number.isFinite(entry[1]),
        ),
      ),
      cashOut: optional(readCashOutRules)(cashOut),
    }
  })
}

function readCashOutRules(raw: unknown): CashOutRules {
  const { enabled, margin, min, cap } = record(raw)
  return { isEnabled: bool(enabled), margin: decimal(margin), min: decimal(min), cap: oneOf('none', 'stake')(cap) }
}

function readTax(raw: unknown): TaxRule {
  const { type, from, to, percentage } = record(raw)
  return {
    type: oneOf('stake', 'win')(type),
    from: number(from),
    to: optional(number)(to),
    percentage: number(percentage),
  }
}

/** Converts a JSON number to decimal text. */
function number(raw: unknown): string {
  const text = String(raw)
  return typeof raw === 'number' && /^\d+(\.\d+)?$/.test(text) ? text : fail('a number', raw)
}

/** Places a bet. */
export const sendTicket = (order: Order, signal: AbortSignal) => sendOrder('live/send-ticket', order, signal)
