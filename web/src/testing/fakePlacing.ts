/** Fake browsers and tabs for placing tests, without a server. Tabs of a browser share storage and lock. */
import type { Order, OrderAnswer } from '../api/order'
import { type AppDispatch, type AppStore, makeStore, type RootState } from '../app/store'
import { EMPTY_OFFER } from '../domain/offer'
import { DEFAULT_RULES } from '../domain/ticket/rules'
import { outcomeRead, selectPlacement } from '../features/placement/placementSlice'
import type { PlacingWorld } from '../features/placement/placing'
import { startPlacing } from '../features/placement/placingListeners'
import { betConfirmed, changesAccepted, type Prices } from '../features/placement/placingSteps'
import { selectSinglesOrder, singlesConfirmed, singlesRead } from '../features/placement/singlesOrderSlice'
import { beginPlacing } from '../features/placement/usePlace'
import { memberSeen, type User } from '../platform/account/accountSlice'
import { helloReceived } from '../platform/connection/connectionSlice'
import { ticketReceived } from '../platform/connection/hubMessages'
import { offerLoaded } from '../platform/offer/offerSlice'
import { rulesTold } from '../platform/ticket/rulesSlice'
import { addSingles, singlesTurned } from '../platform/ticket/singlesSlice'
import { aPair, aTicket } from './ticketBuilders'

export const ANA: User = { name: 'ana', balance: '100.00', currency: 'EUR' }
export const TAKEN: OrderAnswer = {
  status: 200,
  text: null,
  body: { message: 'Hvala', ticketId: 'T1', payout: '18.50', balance: '90.00', pairs: [] },
}
/** No answer at all. */
export const NOTHING: OrderAnswer = { status: 0, text: null, body: {} }

/** The storage and the lock that all tabs of a browser share. */
export class FakeBrowser {
  readonly storage = new FakeStorage()
  readonly tabs: FakeTab[] = []
  #held = false
  readonly #queue: (() => void)[] = []

  async lock(ifFree: boolean, signal: AbortSignal, run: () => Promise<void>): Promise<boolean> {
    if (this.#held) {
      if (ifFree) {
        return false
      }
      await new Promise<void>((resolve) => this.#queue.push(resolve))
      signal.throwIfAborted()
    }
    this.#held = true
    // A closed tab releases the lock at once.
    const gone = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
    try {
      await Promise.race([run(), gone])
      return true
    } finally {
      this.#held = false
      this.#queue.shift()?.()
    }
  }
}

export class FakeStorage {
  readonly #items = new Map<string, string>()
  changed: () => void = () => undefined
  getItem = (key: string) => this.#items.get(key) ?? null
  setItem = (key: string, value: string) => {
    this.#items.set(key, value)
    this.changed()
  }
  removeItem = (key: string) => {
    this.#items.delete(key)
    this.changed()
  }
}

/** A tab with a valid ticket. The test provides the answers to its requests. */
export class FakeTab {
  readonly store: AppStore
  readonly sent: Order[] = []
  /** Stops placing, as closing the tab does. */
  readonly stop: () => void
  readonly #stored: ((key: string | null) => void)[] = []
  readonly session: FakeStorage

  constructor(
    browser: FakeBrowser,
    answers: (order: Order) => Promise<OrderAnswer>,
    { user = ANA as User | null | undefined, session = new FakeStorage(), hasTicket = true } = {},
  ) {
    this.session = session
    browser.tabs.push(this)
    this.store = makeStore()
    this.come()
    this.store.dispatch(memberSeen(ANA))
    this.store.dispatch(rulesTold({ rules: DEFAULT_RULES, delays: { default: 5, 5: 8 } }))
    if (hasTicket) {
      this.receiveTicket()
    }
    const world: PlacingWorld = {
      storage: {
        getItem: browser.storage.getItem,
        setItem: (key, value) => this.#share(browser, () => browser.storage.setItem(key, value), key),
        removeItem: (key) => this.#share(browser, () => browser.storage.removeItem(key), key),
      },
      tabStorage: session,
      onStored: (callback) => {
        this.#stored.push(callback)
        return () => this.#stored.splice(0)
      },
      sendTicket: (order, signal) => {
        this.sent.push(order)
        return new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve(NOTHING), { once: true })
          void answers(order).then(resolve)
        })
      },
      fetchUser: async () => user,
      locked: (ifFree, signal, run) => browser.lock(ifFree, signal, run),
      uuid: () => `key-${this.sent.length}-${Math.random()}`,
      now: () => Date.now(),
      random: () => 1,
    }
    const startListening = this.store.listeners.startListening.withTypes<RootState, AppDispatch>()
    this.stop = startPlacing(this.store, startListening, world)
  }

  /** Connects and loads the offer. */
  come(): void {
    this.store.dispatch(helloReceived({ session: 's', version: '1', feed: 'active', serverOffsetMs: 0 }))
    this.store.dispatch(offerLoaded({ offer: EMPTY_OFFER, feed: 'active', dateMs: null }))
  }

  receiveTicket(): void {
    const pairs = [aPair({ matchId: 17, oddId: 101, sportId: 1 }), aPair({ matchId: 18, oddId: 201, sportId: 5 })]
    this.store.dispatch(ticketReceived(aTicket({ stake: '10.00', pairs })))
  }

  hear(key: string): void {
    for (const callback of this.#stored) {
      callback(key)
    }
  }

  #share(browser: FakeBrowser, write: () => void, key: string): void {
    write()
    for (const tab of browser.tabs) {
      if (tab !== this) {
        tab.hear(key)
      }
    }
  }

  get placement() {
    return selectPlacement(this.store.getState())
  }

  /** The bettor clicks the place button. */
  ask(): void {
    this.store.dispatch(beginPlacing)
  }

  place(): void {
    this.ask()
    this.confirm()
  }

  /** The bettor confirms the bet in the dialog. */
  confirm(): void {
    this.store.dispatch(betConfirmed())
  }

  /** The pairs of the ticket become singles. */
  turnToSingles(): void {
    addSingles(this.store)
    this.store.dispatch(singlesTurned(true))
  }

  get singles() {
    return selectSinglesOrder(this.store.getState())
  }

  placeSingles(): void {
    this.ask()
    this.store.dispatch(singlesConfirmed())
  }

  readSingles(): void {
    this.store.dispatch(singlesRead())
  }

  /** The bettor accepts the changes of a rejected bet. */
  placeAgain(prices: Prices): void {
    this.store.dispatch(changesAccepted(prices))
  }

  /** The bettor closes the dialog with the outcome. */
  read(): void {
    this.store.dispatch(outcomeRead())
  }
}
