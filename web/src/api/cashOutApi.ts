/** The calls of cash-out (CONTRACT 8). */
import type { CashOutRule } from '../domain/bet'
import type { CashOutValue } from '../domain/cashOut'
import { readCashOutValue, readRule } from '../protocol/readBets'
import { type Order, sendOrder } from './order'
import { json, readBody, request } from './request'

const pathOf = (ticketId: string, call: string) => `account/tickets/${encodeURIComponent(ticketId)}/${call}`

/** What the bet is worth now. */
export async function fetchCashOut(ticketId: string, signal: AbortSignal): Promise<CashOutValue> {
  const answer = await request({ path: pathOf(ticketId, 'cash-out'), accept: 'application/json', signal })
  return readBody(answer, json, readCashOutValue)
}

export interface CashOutOrder extends Order {
  readonly ticketId: string
}

export const sendCashOut = (order: CashOutOrder, signal: AbortSignal) =>
  sendOrder(pathOf(order.ticketId, 'cash-out'), order, signal)

/** Sets the rule of a bet, or replaces it. */
export async function saveCashOutRule(ticketId: string, atLeast: string): Promise<CashOutRule> {
  const answer = await request({
    path: pathOf(ticketId, 'cash-out-rule'),
    accept: 'application/json',
    method: 'PUT',
    body: JSON.stringify({ atLeast }),
  })
  return readBody(answer, json, readRule)
}

export async function removeCashOutRule(ticketId: string): Promise<void> {
  await request({ path: pathOf(ticketId, 'cash-out-rule'), accept: 'application/json', method: 'DELETE' })
}
