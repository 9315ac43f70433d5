/**
 * Places a bet and finds out its outcome. The bet is stored, with its idempotency key, before it is sent, so that it
 * can be sent again without being placed twice. The server is asked until the outcome is known, also after a reload or
 * from another tab. A lock ensures that only one tab does this, from before the bet is stored until its outcome is
 * stored.
 */

import type { Order, OrderAnswer } from '../../api/order'
import type { AppStartListening, AppStore } from '../../app/store'
import type { ReckonedTicket } from '../../domain/ticket/ticket'
import type { FetchUser } from '../../platform/account/accountListeners'
import {
  balanceTold,
  loggedOut,
  memberSeen,
  selectUser,
  strangerSeen,
  type User,
} from '../../platform/account/accountSlice'
import { noticeShown } from '../../platform/notices/noticesSlice'
import { selectLanguage } from '../../platform/preferences/preferencesSelectors'
import { selectDelays, selectRules } from '../../platform/ticket/rulesSlice'
import { wished } from '../../platform/ticket/ticketSlice'
import { obstacleTo, selectTicket } from '../../platform/ticket/totalsSelectors'
import { pageOpened } from '../../platform/view/viewSlice'
import { backoffMs } from '../../protocol/backoff'
import { selectCanReach } from './canReach'
import { changesOf, isSameBet, orderBody, receiptOf, slowestDelay, withPrices } from './order'
import {
  type Outcome,
  outcomeKnown,
  outcomeRead,
  outcomeUnknown,
  placementAbandoned,
  placementSent,
  selectPlacement,
  unknownRead,
} from './placementSlice'
import { type PlacedOrder, PlacementStore, type PlacementStoreWorld } from './placementStore'
import type { Prices } from './placingContext'

/** How long the popup for a call without an answer is shown (CONTRACT 4). */
export const POPUP_MS = 3000

/**
 * The order may be sent again until this long after the confirmation. Sending it later could place the bet at odds that
 * the bettor has not seen. After this time the client only asks whether the key was used.
 */
export const SENT_AGAIN_MS = 60_000

/** A request that timed out can still reach the server: TCP retransmits for up to 120 s (RFC 6298). */
export const ON_ITS_WAY_MS = 150_000

/**
 * A body that is not a valid ticket. Sent with the key of an order, it asks about the order and cannot place a bet.
 * CONTRACT 4: the answer is 409 if the key was used and 400 if not; it waits for a running order with the same key.
 */
const QUESTION = '{}'

export interface PlacingWorld extends PlacementStoreWorld {
  readonly sendTicket: (order: Order, signal: AbortSignal) => Promise<OrderAnswer>
  readonly fetchUser: FetchUser
  /** Runs `run` under the lock that all tabs share. With `ifFree` it does not wait; false means the lock was taken. */
  readonly locked: (ifFree: boolean, signal: AbortSignal, run: () => Promise<void>) => Promise<boolean>
  readonly uuid: () => string
  readonly now: () => number
  /** Between 0 and 1. */
  readonly random: () => number
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
}

export class Placing {
  readonly #store: AppStore
  readonly #world: PlacingWorld
  readonly #orders: PlacementStore
  readonly #stopped = new AbortController()
  readonly #stopListening: () => void
  /** Aborted when the user changes, to end the wait for a login. */
  #accountChanged = new AbortController()
  /** The key of the bet whose outcome is displayed. */
  #shown: string | null = null
  #shownMs = 0

  constructor(store: AppStore, startListening: AppStartListening, world: PlacingWorld) {
    this.#store = store
    this.#world = world
    const stops = [
      startListening({
        actionCreator: memberSeen,
        effect: (_, api) => {
          const user = selectUser(api.getState())
          if (user?.name !== selectUser(api.getOriginalState())?.name) {
            this.#newMember(user)
          }
        },
      }),
      startListening({ actionCreator: loggedOut, effect: () => this.#forgetKnown() }),
    ]
    this.#stopListening = () => {
      for (const stop of stops) {
        stop()
      }
    }
    this.#orders = new PlacementStore(world, (order) => this.#storedElsewhere(order))
    this.#resume()
  }

  stop(): void {
    this.#stopped.abort()
    this.#stopListening()
    this.#orders.stop()
  }

  /** The bettor confirmed the bet. A second call has no effect. */
  place(): void {
    const state = this.#store.getState()
    const placement = selectPlacement(state)
    // While the server cannot be reached, the dialog shows old data: it stays open until the data is current.
    if (placement.stage === 'confirming' && selectCanReach(state)) {
      this.#begin(selectTicket(state), placement.sinceMs)
    }
  }

  /**
   * The bettor accepted the changes because of which the bet was rejected. It is placed again as a new order, at the
   * prices that the bettor has seen.
   */
  placeAgain(prices: Prices): void {
    const state = this.#store.getState()
    const placement = selectPlacement(state)
    const isRejected = placement.stage === 'known' && placement.outcome.kind === 'refused'
    if (!isRejected || this.#shown === null || !selectCanReach(state)) {
      return
    }
    this.#orders.forget(this.#shown)
    this.#shown = null
    this.#begin(withPrices(selectTicket(state), prices, selectRules(state)), this.#shownMs)
  }

  /** `sinceMs` is the time from which the bettor has seen the dialog. */
  #begin(ticket: ReckonedTicket, sinceMs: number): void {
    const state = this.#store.getState()
    const user = selectUser(state)?.name
    const obstacle = obstacleTo(ticket)
    if (obstacle !== null) {
      // Another tab or a change of the match has made the ticket invalid while the dialog was open.
      this.#store.dispatch(placementAbandoned())
      this.#store.dispatch(noticeShown(obstacle))
      return
    }
    const delaySeconds = slowestDelay(ticket, selectDelays(state))
    const sentMs = this.#world.now()
    this.#store.dispatch(placementSent({ sentMs, delaySeconds }))
    const order: PlacedOrder = {
      key: this.#world.uuid(),
      body: JSON.stringify(orderBody(ticket)),
      language: selectLanguage(state),
      delaySeconds,
      user: user ?? null,
      sentMs,
      ticket,
      outcome: null,
    }
    const { signal } = this.#stopped
    this.#world
      .locked(true, signal, () => this.#first(order, sinceMs))
      .then((wasFree) => {
        if (!wasFree) {
          this.#abandon()
        }
      }, ignoreStop)
  }

  /** The bettor closed the dialog with the outcome. */
  read(): void {
    if (this.#shown !== null) {
      this.#orders.forget(this.#shown)
      this.#shown = null
    }
    this.#store.dispatch(outcomeRead())
  }

  /** The signed-in user has changed. */
  #newMember(user: User | null): void {
    const held = this.#orders.read()
    if (user && held?.user && held.user !== user.name) {
      this.#forgetKnown()
    }
    this.#accountChanged.abort()
    this.#accountChanged = new AbortController()
  }

  /** Removes the stored bet, which contains user and stake, unless its outcome is still unknown. */
  #forgetKnown(): void {
    const held = this.#orders.read()
    if (!held?.outcome) {
      return
    }
    this.#orders.forget(held.key)
    this.#shown = null
    if (selectPlacement(this.#store.getState()).stage === 'known') {
      this.#store.dispatch(placementAbandoned())
    }
  }

  async #first(order: PlacedOrder, sinceMs: number): Promise<void> {
    const held = this.#orders.read()
    // Another tab has a bet with an unknown outcome, or placed a bet while our dialog was open.
    if (held && (!held.outcome || held.sentMs >= sinceMs)) {
      this.#abandon()
      return
    }
    // Only the user who placed the bet may ask about it, so the name must be known before it is sent.
    const user = order.user ?? (await this.#world.fetchUser(this.#stopped.signal).catch(() => null))?.name ?? null
    const named = { ...order, user }
    this.#orders.begin(named)
    await this.#sendFirst(named)
  }

  async #sendFirst(order: PlacedOrder): Promise<void> {
    const answer = await this.#send(order)
    if (answer.status === 401) {
      this.#orders.forget(order.key)
      this.#store.dispatch(placementAbandoned())
      this.#store.dispatch(strangerSeen())
      this.#store.dispatch(pageOpened('login', true))
      return
    }
    const outcome = this.#outcomeOf(answer, order, true)
    if (outcome) {
      this.#finish(order, outcome)
      return
    }
    await this.#notKnown(answer.status)
    await this.#askOn(order)
  }

  /** Shows the message of CONTRACT 4 for an answer without an outcome. A popup is shown for its full time. */
  async #notKnown(status: number): Promise<void> {
    if (status >= 200) {
      this.#store.dispatch(outcomeUnknown({ said: status === 500 ? 'communicationError' : 'error' }))
      return
    }
    this.#store.dispatch(wished({ wish: 'clear' }))
    this.#store.dispatch(outcomeUnknown({ said: 'popup' }))
    await this.#world.wait(POPUP_MS, this.#stopped.signal)
    this.#store.dispatch(unknownRead())
  }

  /** Asks until the outcome is known. Only as the user who placed the bet: for another user it would be another bet. */
  async #askOn(order: PlacedOrder, attempt = 0): Promise<void> {
    const { signal } = this.#stopped
    let wasFree = false
    let isDoubted = false
    for (let attempts = attempt; ; attempts += 1) {
      if (attempts >= 0) {
        await this.#world.wait(backoffMs(attempts, this.#world.random), signal)
      }
      if (!(await this.#isTheirs(order))) {
        continue
      }
      const isFree = isDoubted || !this.#isFresh(order) ? await this.#isFree(order) : undefined
      if (isFree && !wasFree) {
        wasFree = true
        await this.#world.wait(ON_ITS_WAY_MS + order.delaySeconds * 1000, signal)
        continue
      }
      if (isFree === null) {
        continue
      }
      const outcome = isFree ? ({ kind: 'notPlaced' } as const) : await this.#again(order, isFree === false)
      if (outcome === 'doubted') {
        isDoubted = true
      } else if (outcome) {
        this.#finish(order, outcome)
        return
      }
    }
  }

  /** Whether the order may still be sent again. If the clock was set back, it may not. */
  #isFresh({ sentMs }: PlacedOrder): boolean {
    const ageMs = this.#world.now() - sentMs
    return ageMs >= 0 && ageMs < SENT_AGAIN_MS
  }

  /** Whether the key is unused, so that the server has not processed the order; null if the answer does not show it. */
  async #isFree(order: PlacedOrder): Promise<boolean | null> {
    const { status, text } = await this.#send({ ...order, body: QUESTION })
    // A 400 without a text does not come from our server.
    return status === 400 && text !== null ? true : status === 409 ? false : null
  }

  /**
   * Sends the order again. A 400 is the stored answer of the order only if the key is known to be used. Otherwise
   * another server may still be processing the order. From then on the client only asks about the key (`doubted`).
   */
  async #again(order: PlacedOrder, isUsed: boolean): Promise<Outcome | 'doubted' | null> {
    const answer = await this.#send(order)
    return answer.status === 400 && !isUsed ? 'doubted' : this.#outcomeOf(answer, order, false)
  }

  /** Whether the user who placed the bet is logged in. If another user or nobody is, waits until the user changes. */
  async #isTheirs(order: PlacedOrder): Promise<boolean> {
    const { signal } = this.#stopped
    const user = await this.#world.fetchUser(signal).catch(() => null)
    signal.throwIfAborted()
    if (user === null) {
      // The user could not be found out: this counts as a failed attempt.
      return false
    }
    if (user && (order.user === null || user.name === order.user)) {
      this.#store.dispatch(outcomeUnknown({}))
      return true
    }
    if (user === undefined) {
      this.#store.dispatch(strangerSeen())
    }
    this.#store.dispatch(outcomeUnknown({ login: true }))
    const changed = this.#accountChanged.signal
    await new Promise<void>((resolve) => {
      changed.addEventListener('abort', () => resolve(), { once: true })
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
    signal.throwIfAborted()
    return false
  }

  async #send(order: PlacedOrder): Promise<OrderAnswer> {
    const { signal } = this.#stopped
    const answer = await this.#world.sendTicket(order, signal)
    signal.throwIfAborted()
    return answer
  }

  /**
   * The outcome shown by an answer; null if it shows none. Only a first answer from 200 to 499 is always an outcome.
   */
  #outcomeOf(answer: OrderAnswer, order: PlacedOrder, isFirst: boolean): Outcome | null {
    switch (answer.status) {
      case 200:
        return {
          kind: 'accepted',
          receipt: receiptOf(answer.body, order.ticket, selectRules(this.#store.getState())),
        }
      case 400:
        return answer.text === null
          ? { kind: 'failed' }
          : { kind: 'refused', reason: answer.text, changes: changesOf(answer.body) }
      case 409:
        return { kind: 'failed' }
      default:
        return isFirst && answer.status >= 200 && answer.status < 500 ? { kind: 'failed' } : null
    }
  }

  #finish(order: PlacedOrder, outcome: Outcome): void {
    this.#orders.end(order, outcome)
    this.#tell(order, outcome)
  }

  #tell(order: PlacedOrder, outcome: Outcome): void {
    const { dispatch, getState } = this.#store
    this.#show(order, outcome)
    if (outcome.kind !== 'accepted') {
      return
    }
    this.#tellBalance(order, outcome)
    // If the bettor has started another ticket meanwhile, it must stay.
    if (isSameBet(selectTicket(getState()), order.ticket)) {
      dispatch(wished({ wish: 'clear' }))
    }
  }

  #tellBalance({ user }: PlacedOrder, outcome: Outcome): void {
    const { dispatch, getState } = this.#store
    const balance = outcome.kind === 'accepted' ? outcome.receipt.balance : null
    if (balance !== null && user === (selectUser(getState())?.name ?? null)) {
      dispatch(balanceTold(balance))
    }
  }

  #show({ key }: PlacedOrder, outcome: Outcome): void {
    this.#shown = key
    this.#shownMs = this.#world.now()
    this.#store.dispatch(outcomeKnown(outcome))
  }

  #abandon(): void {
    this.#store.dispatch(placementAbandoned())
    this.#store.dispatch(noticeShown('placedElsewhere'))
  }

  /** Continues with the bet that was stored when the page was closed. */
  #resume(): void {
    const order = this.#orders.read()
    if (!order) {
      return
    }
    if (order.outcome) {
      if (this.#orders.isMine(order)) {
        this.#show(order, order.outcome)
      }
      return
    }
    this.#store.dispatch(outcomeUnknown({}))
    this.#takeOver()
  }

  /** Waits for the lock, and then asks if the outcome is still unknown. */
  #takeOver(): void {
    const { signal } = this.#stopped
    this.#world
      .locked(false, signal, async () => {
        const order = this.#orders.read()
        if (order && !order.outcome) {
          this.#store.dispatch(outcomeUnknown({}))
          // Attempt -1 asks without waiting.
          await this.#askOn(order, -1)
        }
      })
      .catch(ignoreStop)
  }

  /** Another tab began a bet, stored an outcome, or removed the bet. */
  #storedElsewhere(order: PlacedOrder | null): void {
    const { stage } = selectPlacement(this.#store.getState())
    if (!order) {
      if (stage === 'known' || stage === 'unknown') {
        this.#store.dispatch(placementAbandoned())
      }
    } else if (!order.outcome) {
      this.#takeOver()
    } else if (stage === 'unknown' || this.#orders.isMine(order)) {
      this.#tell(order, order.outcome)
    } else {
      this.#tellBalance(order, order.outcome)
    }
  }
}

function ignoreStop(): void {
  // The page is being closed.
}
