/**
 * Stores the cash-outs without an outcome in local storage under `cn-cash-outs`, with their idempotency keys.
 * After a reload they are sent again with the same key and body, so that no part of a bet is cashed out twice.
 */
import type { CashOutOrder } from '../../api/cashOutApi'
import type { SharePercent } from '../../domain/cashOut'

const KEY = 'cn-cash-outs'

export interface StoredCashOut extends CashOutOrder {
  /** The name of the user; null if it is not known. */
  readonly user: string | null
  readonly percent: SharePercent
  /** The net value that was shown for the whole bet. */
  readonly net: string
  readonly sentMs: number
}

export class CashOutStore {
  readonly #storage: Pick<Storage, 'getItem' | 'setItem'>
  /** Used if the storage is full or forbidden: then the cash-outs are kept as long as the page is open. */
  #held: readonly StoredCashOut[] = []

  constructor(storage: Pick<Storage, 'getItem' | 'setItem'>) {
    this.#storage = storage
  }

  all(): readonly StoredCashOut[] {
    try {
      const text = this.#storage.getItem(KEY)
      const stored: unknown = text === null ? [] : JSON.parse(text)
      const others = Array.isArray(stored) ? stored.filter(isStored) : []
      return [...others, ...this.#held.filter(({ key }) => !others.some((other) => other.key === key))]
    } catch {
      return this.#held
    }
  }

  has(key: string): boolean {
    return this.all().some((order) => order.key === key)
  }

  begin(order: StoredCashOut): void {
    this.#write([...this.all(), order])
  }

  /** The outcome of this cash-out is known. */
  forget(key: string): void {
    this.#held = this.#held.filter((order) => order.key !== key)
    this.#write(this.all().filter((order) => order.key !== key))
  }

  #write(orders: readonly StoredCashOut[]): void {
    try {
      this.#storage.setItem(KEY, JSON.stringify(orders))
      this.#held = []
    } catch {
      this.#held = orders
    }
  }
}

/** False for one that another version of the client stored in a different form. */
function isStored(raw: unknown): raw is StoredCashOut {
  const order = raw as Partial<StoredCashOut> | null
  return (
    typeof order?.key === 'string' &&
    typeof order.ticketId === 'string' &&
    typeof order.body === 'string' &&
    typeof order.language === 'string' &&
    typeof order.delaySeconds === 'number' &&
    (order.user === null || typeof order.user === 'string') &&
    typeof order.percent === 'number' &&
    typeof order.net === 'string' &&
    typeof order.sentMs === 'number'
  )
}
