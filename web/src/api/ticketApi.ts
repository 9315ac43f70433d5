/** The calls of a ticket (CONTRACT 2 and 4). */
import type { CashOutRules } from '../domain/cashOut'
import type { TaxRule, TicketRules } from '../domain/ticket/rules'
import { bool, decimal, fail, listOf, oneOf, optional, record } from '../protocol/read'
import { ApiError, readBody, request } from './request'

const json = (answer: Response) => answer.json() as Promise<unknown>

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

/** A bet as it is sent, the first time and again. */
export interface Order {
  readonly key: string
  /** The JSON body of `POST live/send-ticket`. */
  readonly body: string
  readonly language: string
  /** The in-play delay: the server answers no earlier than this. */
  readonly delaySeconds: number
}

/** The answer to an order. Status 0 means no answer. */
export interface PlacingAnswer {
  readonly status: number
  /** Empty if the answer has no JSON object. */
  readonly body: Readonly<Record<string, unknown>>
  /** The first text of `modelState.error`. */
  readonly reason: string | null
}

/** How long to wait for the answer after the in-play delay. */
const PATIENCE_MS = 30_000

/** Sends an order. Rejects only if the signal is aborted: every failure, even no answer, is returned as an answer. */
export async function sendTicket(order: Order, signal: AbortSignal): Promise<PlacingAnswer> {
  try {
    const answer = await request({
      path: 'live/send-ticket',
      query: { lang: order.language },
      accept: 'application/json',
      method: 'POST',
      body: order.body,
      headers: { 'idempotency-key': order.key },
      timeoutMs: order.delaySeconds * 1000 + PATIENCE_MS,
      signal,
    })
    return { status: answer.status, body: await readBody(answer, json, record), reason: null }
  } catch (error) {
    if (error instanceof ApiError) {
      // An incomplete answer, or one that is not from our server, counts as no answer.
      const isAnswer = error.failure !== 'network' && error.failure !== 'malformed'
      return { status: isAnswer ? error.status : 0, body: objectOf(error.body), reason: error.reasons[0] ?? null }
    }
    throw error
  }
}

function objectOf(body: unknown): Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null ? (body as Readonly<Record<string, unknown>>) : {}
}
