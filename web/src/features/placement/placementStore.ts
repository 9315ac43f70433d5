/**
 * Stores the bet being placed in local storage under `cn-placement`. It stays there until the bettor has read the
 * outcome, or logs out after the outcome is known. Session storage, which survives a reload, marks the tab that placed
 * it.
 */
import type { Order } from '../../api/order'
import type { ReckonedTicket } from '../../domain/ticket/ticket'
import type { Outcome } from './placementState'

const KEY = 'cn-placement'

export interface PlacedOrder extends Order {
  /** The name of the user who placed the bet; null if it could not be found out at that time. */
  readonly user: string | null
  readonly sentMs: number
  readonly ticket: ReckonedTicket
  readonly outcome: Outcome | null
}

type Kept = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

export interface PlacementStoreWorld {
  readonly storage: Kept
  /** Storage of this tab only. */
  readonly tabStorage: Kept
  /** Calls back when another tab has changed a key; null means all keys. Returns a function that stops it. */
  readonly onStored: (callback: (key: string | null) => void) => () => void
}

export class PlacementStore {
  readonly #world: PlacementStoreWorld
  /** Stops listening for changes from other tabs. */
  readonly stop: () => void
  /** The copy for a storage that is full or forbidden: then the bet is kept as long as the page is open. */
  #held: PlacedOrder | null = null

  constructor(world: PlacementStoreWorld, changedElsewhere: (order: PlacedOrder | null) => void) {
    this.#world = world
    this.stop = world.onStored((key) => {
      if (key === KEY || key === null) {
        this.#held = null
        changedElsewhere(this.read())
      }
    })
  }

  read(): PlacedOrder | null {
    try {
      const text = this.#world.storage.getItem(KEY)
      return text === null ? this.#held : readOrder(JSON.parse(text))
    } catch {
      return this.#held
    }
  }

  begin(order: PlacedOrder): void {
    attempt(() => this.#world.tabStorage.setItem(KEY, order.key))
    this.#write(order)
  }

  end(order: PlacedOrder, outcome: Outcome): void {
    this.#write({ ...order, outcome })
  }

  /** Removes the bet if it is still this one: another tab may have begun the next. */
  forget(key: string): void {
    if (this.read()?.key === key) {
      this.#held = null
      attempt(() => this.#world.storage.removeItem(KEY))
      attempt(() => this.#world.tabStorage.removeItem(KEY))
    }
  }

  /** Whether the bet was placed in this tab. */
  isMine(order: PlacedOrder): boolean {
    try {
      return this.#world.tabStorage.getItem(KEY) === order.key
    } catch {
      return false
    }
  }

  #write(order: PlacedOrder): void {
    this.#held = order
    attempt(() => this.#world.storage.setItem(KEY, JSON.stringify(order)))
  }
}

/** The stored bet; null if another version of the client stored it in a different form. */
function readOrder(raw: unknown): PlacedOrder | null {
  const order = raw as Partial<PlacedOrder> | null
  const isOrder =
    typeof order?.key === 'string' &&
    typeof order.body === 'string' &&
    typeof order.sentMs === 'number' &&
    typeof order.delaySeconds === 'number' &&
    typeof order.language === 'string' &&
    Array.isArray(order.ticket?.pairs) &&
    (order.outcome === null || isOutcome(order.outcome))
  return isOrder ? (order as PlacedOrder) : null
}

function isOutcome(raw: unknown): raw is Outcome {
  const { kind, receipt } = (raw ?? {}) as { kind?: unknown; receipt?: Readonly<Record<string, unknown>> }
  const texts = ['message', 'ticketId', 'stake', 'payout']
  return kind === 'accepted'
    ? texts.every((name) => typeof receipt?.[name] === 'string')
    : kind === 'failed' || kind === 'refused' || kind === 'notPlaced'
}

function attempt(write: () => void): void {
  try {
    write()
  } catch {
    // Storage full or forbidden.
  }
}
