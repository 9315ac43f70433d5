/**
 * Stores the singles that were placed by one press in local storage under `cn-singles-order`, before they are sent and
 * until the bettor has read what became of them. Session storage marks the tab that placed them.
 */
import type { Order } from '../../api/order'
import type { ReckonedTicket } from '../../domain/ticket/ticket'
import type { Outcome } from './placementState'
import type { PlacementStoreWorld } from './placementStore'

const KEY = 'cn-singles-order'

export interface StoredSingle extends Order {
  readonly ticket: ReckonedTicket
  readonly outcome: Outcome | null
}

export interface StoredSingles {
  readonly id: string
  /** The name of the user who placed them; null if it could not be found out at that time. */
  readonly user: string | null
  readonly sentMs: number
  readonly isOnePress: boolean
  readonly orders: readonly StoredSingle[]
}

export class SinglesStore {
  readonly #world: PlacementStoreWorld
  /** Stops listening for changes from other tabs. */
  readonly stop: () => void
  /** The copy for a storage that is full or forbidden. */
  #held: StoredSingles | null = null

  constructor(world: PlacementStoreWorld, changedElsewhere: () => void) {
    this.#world = world
    this.stop = world.onStored((key) => {
      if (key === KEY || key === null) {
        this.#held = null
        changedElsewhere()
      }
    })
  }

  read(): StoredSingles | null {
    try {
      const text = this.#world.storage.getItem(KEY)
      return text === null ? this.#held : readSingles(JSON.parse(text))
    } catch {
      return this.#held
    }
  }

  begin(singles: StoredSingles): void {
    attempt(() => this.#world.tabStorage.setItem(KEY, singles.id))
    this.#write(singles)
  }

  end(id: string, key: string, outcome: Outcome): void {
    const held = this.read()
    if (held?.id === id) {
      this.#write({ ...held, orders: held.orders.map((order) => (order.key === key ? { ...order, outcome } : order)) })
    }
  }

  /** Removes the singles if the key is still one of theirs: another tab may have begun the next. */
  forget(key: string | undefined): void {
    if (this.read()?.orders.some((order) => order.key === key)) {
      this.#held = null
      attempt(() => this.#world.storage.removeItem(KEY))
      attempt(() => this.#world.tabStorage.removeItem(KEY))
    }
  }

  /** Whether they were placed in this tab. */
  isMine({ id }: StoredSingles): boolean {
    try {
      return this.#world.tabStorage.getItem(KEY) === id
    } catch {
      return false
    }
  }

  #write(singles: StoredSingles): void {
    this.#held = singles
    attempt(() => this.#world.storage.setItem(KEY, JSON.stringify(singles)))
  }
}

/** Null if another version of the client stored them in a different form. */
function readSingles(raw: unknown): StoredSingles | null {
  const { id, user, sentMs, orders } = (raw ?? {}) as Partial<StoredSingles>
  const isWhole =
    typeof id === 'string' &&
    (user === null || typeof user === 'string') &&
    typeof sentMs === 'number' &&
    Array.isArray(orders) &&
    orders.every(isSingle)
  return isWhole ? (raw as StoredSingles) : null
}

function isSingle(raw: unknown): boolean {
  const { key, body, language, delaySeconds, ticket, outcome } = (raw ?? {}) as Partial<StoredSingle>
  return (
    typeof key === 'string' &&
    typeof body === 'string' &&
    typeof language === 'string' &&
    typeof delaySeconds === 'number' &&
    ticket?.pairs.length === 1 &&
    (outcome === null || typeof outcome?.kind === 'string')
  )
}

function attempt(write: () => void): void {
  try {
    write()
  } catch {
    // Storage full or forbidden.
  }
}
