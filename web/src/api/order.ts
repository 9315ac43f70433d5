/** Calls with an idempotency key: placing a bet and cashing one out. They can be sent again without being done twice. */
import { record } from '../protocol/read'
import { ApiError, json, readBody, request } from './request'

/** A call as it is sent, the first time and again. */
export interface Order {
  readonly key: string
  /** The JSON body. */
  readonly body: string
  readonly language: string
  /** The in-play delay: the server answers no earlier than this. */
  readonly delaySeconds: number
}

/** The answer to an order. Status 0 means no answer. */
export interface OrderAnswer {
  readonly status: number
  /** Empty if the answer has no JSON object. */
  readonly body: Readonly<Record<string, unknown>>
  /** The server's first text for the user (`modelState.error`), if it has rejected the order. */
  readonly text: string | null
}

/** How long to wait for the answer after the in-play delay. */
const PATIENCE_MS = 30_000

/** Sends an order. Rejects only if the signal is aborted: every failure, even no answer, is returned as an answer. */
export async function sendOrder(path: string, order: Order, signal: AbortSignal): Promise<OrderAnswer> {
  try {
    const answer = await request({
      path,
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
      return { status: isAnswer ? error.status : 0, body: objectOf(error.body), text: error.reasons[0] ?? null }
    }
    throw error
  }
}

function objectOf(body: unknown): Readonly<Record<string, unknown>> {
  return typeof body === 'object' && body !== null ? (body as Readonly<Record<string, unknown>>) : {}
}
