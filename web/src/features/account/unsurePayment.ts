/**
 * Stores the last payment until its outcome is known, under `cn-payment` in local storage. When the bettor sends it
 * again, also after a reload, it has the same key and is made only once.
 */
import type { Payment, PaymentAnswer } from '../../api/cashierApi'

const KEY = 'cn-payment'

export interface UnsurePayment extends Payment {
  /** The name of the account. Another user of the browser must not send it. */
  readonly user: string
}

export interface PaymentStorage {
  readonly read: (user: string) => UnsurePayment | null
  readonly write: (payment: UnsurePayment | null) => void
}

/** Without access to the storage the payment is kept as long as this object. */
export function paymentStorage(): PaymentStorage {
  let held: UnsurePayment | null = null
  const stored = () => {
    try {
      return readPayment(JSON.parse(window.localStorage.getItem(KEY) ?? 'null'))
    } catch {
      return held
    }
  }
  return {
    read: (user) => {
      const payment = stored()
      return payment?.user === user ? payment : null
    },
    write: (payment) => {
      held = payment
      try {
        if (payment) {
          window.localStorage.setItem(KEY, JSON.stringify(payment))
        } else {
          window.localStorage.removeItem(KEY)
        }
      } catch {
        // Storage full or forbidden.
      }
    },
  }
}

function readPayment(raw: unknown): UnsurePayment | null {
  const payment = raw as Partial<UnsurePayment> | null
  const isPayment =
    (payment?.kind === 'deposit' || payment?.kind === 'withdrawal') &&
    typeof payment.amount === 'string' &&
    typeof payment.key === 'string' &&
    typeof payment.user === 'string'
  return isPayment ? (payment as UnsurePayment) : null
}

/** Statuses of answers that come before the server looks for the key: they say nothing about an earlier request. */
const BEFORE_THE_KEY: readonly number[] = [401, 403, 408, 429]

/** Whether the outcome of a payment is still not known after this answer. */
export function isStillUnsure(answer: PaymentAnswer, wasSentBefore: boolean): boolean {
  if (answer.outcome === 'rejected') {
    return wasSentBefore && BEFORE_THE_KEY.includes(answer.status)
  }
  return answer.outcome === 'unknown'
}
