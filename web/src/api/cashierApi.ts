/** The calls of the cashier: money into and out of the account (CONTRACT 9). */
import { decimal, MalformedError } from '../protocol/read'
import { type OrderAnswer, sendOrder } from './order'

export type PaymentKind = 'deposit' | 'withdrawal'

export interface Payment {
  readonly kind: PaymentKind
  /** An exact decimal amount: `25.50`. */
  readonly amount: string
  /** The idempotency key: a payment that is sent again with the same key is made only once. */
  readonly key: string
}

export type PaymentAnswer =
  | { readonly outcome: 'paid'; readonly balance: string; readonly receivable: string }
  /** The server answered that it did not pay. `text` is its reason for the user. */
  | { readonly outcome: 'rejected'; readonly status: number; readonly text: string | null }
  /** The payment may or may not have been made. */
  | { readonly outcome: 'unknown' }

const PATHS = { deposit: 'account/deposit', withdrawal: 'account/withdraw' } as const

/** Sends a payment, the first time or again. Does not reject: every failure is an answer. */
export async function sendPayment({ kind, amount, key }: Payment, language: string): Promise<PaymentAnswer> {
  const order = { key, language, body: JSON.stringify({ amount }), delaySeconds: 0 }
  return readAnswer(await sendOrder(PATHS[kind], order, new AbortController().signal))
}

function readAnswer({ status, body, text }: OrderAnswer): PaymentAnswer {
  if (status >= 400 && status < 500) {
    return { outcome: 'rejected', status, text }
  }
  if (status !== 200) {
    return { outcome: 'unknown' }
  }
  try {
    return { outcome: 'paid', balance: decimal(body['balance']), receivable: decimal(body['receivable']) }
  } catch (error) {
    if (error instanceof MalformedError) {
      return { outcome: 'unknown' }
    }
    throw error
  }
}
