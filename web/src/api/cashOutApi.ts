/** The calls of cash-out (CONTRACT 8). */
import type { CashOutRule } from '../domain/bet'
import type { CashOutValue } from '../domain/cashOut'
import { record } from '../protocol/read'
import { readCashOutValue, readRule } from '../protocol/readBets'
import { ApiError, readBody, request } from './request'

const json = (answer: Response) => answer.json() as Promise<unknown>

const pathOf = (ticketId: string, call: string) => `account/tickets/${encodeURIComponent(ticketId)}/${call}`

/** What the bet is worth now. */
export async function fetchCashOut(ticketId: string, signal: AbortSignal): Promise<CashOutValue> {
  const answer = await request({ path: pathOf(ticketId, 'cash-out'), accept: 'application/json', signal })
  return readBody(answer, json, readCashOutValue)
}

/** A cash-out as it is sent, the first time and again. */
export interface CashOutOrder {
  readonly key: string
  readonly ticketId: string
  /** The JSON body. */
  readonly body: string
  readonly language: string
  /** The in-play delay: the server answers no earlier than this. */
  readonly delaySeconds: number
}

/** The answer to a cash-out. Status 0 means no answer. */
export interface CashOutAnswer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  /** The server's text for the user, if it has rejected the cash-out. */
  readonly text: string | null
}

/** How long to wait for the answer after the in-play delay. */
const PATIENCE_MS = 30_000

/** Rejects only if the signal is aborted: every failure, even no answer, is returned as an answer. */
export async function sendCashOut(order: CashOutOrder, signal: AbortSignal): Promise<CashOutAnswer> {
  try {
    const answer = await request({
      path: pathOf(order.ticketId, 'cash-out'),
      query: { lang: order.language },
      accept: 'application/json',
      method: 'POST',
      body: order.body,
      headers: { 'idempotency-key': order.key },
      timeoutMs: order.delaySeconds * 1000 + PATIENCE_MS,
      signal,
    })
    return { status: answer.status, body: await readBody(answer, json, record), text: null }
  } catch (error) {
    if (error instanceof ApiError) {
      // An incomplete answer, or one that is not from our server, counts as no answer.
      const isAnswer = error.failure !== 'network' && error.failure !== 'malformed'
      const body = typeof error.body === 'object' && error.body !== null ? error.body : {}
      return { status: isAnswer ? error.status : 0, body: { ...body }, text: error.reasons[0] ?? null }
    }
    throw error
  }
}

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
