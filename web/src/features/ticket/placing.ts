/**
 * A bet on its way. It is stored before it is sent, with the key that makes it the same bet however often it is sent;
 * what came of it is asked until it is known, over reloads and by whatever tab is left. One tab at a time: the lock is
 * held from before the bet is stored until its outcome is.
 */

import type { Order, PlacingAnswer } from '../../api/ticketApi'
import type { AppStartListening, AppStore } from '../../app/store'
import { backoffMs } from '../../protocol/backoff'
import type { FetchUser } from '../account/accountListeners'
import { balanceTold, loggedOut, memberSeen, selectUser, strangerSeen, type User } from '../account/accountSlice'
import { noticeShown } from '../notices/noticesSlice'
import { selectLanguage } from '../preferences/preferencesSelectors'
import { pageOpened } from '../view/viewSlice'
import { selectCanReach } from './canReach'
import { isSameBet, orderBody, receiptOf, slowestDelay } from './order'
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
import { selectDelays, selectRules } from './rulesSlice'
import { wished } from './ticketSlice'
import { BUILDER_TEXTS, selectBuilderCode, selectTicket } from './totalsSelectors'

/** The popup of a call without an answer stays so long (CONTRACT 4). */
export const POPUP_MS = 3000

/**
 * So long after the yes it is sent again: the same key is the same bet, but one that never arrived is placed by it, at
 * the odds of then. Later it is only asked whether the key was used.
 */
export const SENT_AGAIN_MS = 60_000

/** One that was given up may still be on its way: what is not acknowledged is sent again up to 120 s later (RFC 6298). */
export const ON_ITS_WAY_MS = 150_000

/**
 * With the key of an order it asks what became of that, and places nothing: it is no ticket. CONTRACT 4: 409 where the
 * key was used; 400 where it was not, and while an order with it runs, that is waited for.
 */
const QUESTION = '{}'

export interface PlacingWorld extends PlacementStoreWorld {
  readonly sendTicket: (order: Order, signal: AbortSignal) => Promise<PlacingAnswer>
  readonly fetchUser: FetchUser
  /** Runs while this tab alone holds the lock; `ifFree`: at once, or not at all, and then resolves to false. */
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
  /** Ends the waiting of whoever waits for somebody to log in. */
  #accountChanged = new AbortController()
  /** The key of the bet whose outcome the bettor is shown. */
  #shown: string | null = null

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

  /** The bettor said yes. A second yes finds nobody waiting for it. */
  place(): void {
    const state = this.#store.getState()
    const placement = selectPlacement(state)
    const user = selectUser(state)?.name
    // What is asked about while nobody can be reached is of before: the question stays until it is of now.
    if (placement.stage !== 'confirming' || !selectCanReach(state)) {
      return
    }
    const code = selectBuilderCode(state)
    if (code !== null) {
      // What was asked about is not what there is now: the other tab, or the match, was quicker.
      this.#store.dispatch(placementAbandoned())
      this.#store.dispatch(noticeShown(BUILDER_TEXTS[code]))
      return
    }
    const ticket = selectTicket(state)
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
      .locked(true, signal, () => this.#first(order, placement.sinceMs))
      .then((wasFree) => {
        if (!wasFree) {
          this.#abandon()
        }
      }, ignoreStop)
  }

  /** The bettor has seen what came of it. */
  read(): void {
    if (this.#shown !== null) {
      this.#orders.forget(this.#shown)
      this.#shown = null
    }
    this.#store.dispatch(outcomeRead())
  }

  /** Another user is logged in now. */
  #newMember(user: User | null): void {
    const held = this.#orders.read()
    if (user && held?.user && held.user !== user.name) {
      this.#forgetKnown()
    }
    this.#accountChanged.abort()
    this.#accountChanged = new AbortController()
  }

  /** Removes the last bet, which names its bettor and stake, unless its outcome still has to be asked for. */
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
    // Of another tab: one that is still asked about, or one that was placed while our bettor was being asked.
    if (held && (!held.outcome || held.sentMs >= sinceMs)) {
      this.#abandon()
      return
    }
    // Asked again only as whom it was placed by: that must be known before.
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

  /** What CONTRACT 4 says to an answer that does not tell what came of it; a popup is given its time. */
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

  /** Asks until it is known. Only as whom it was placed by: as anybody else it would be another bet. */
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

  /** Of now, for the bettor; a clock that was set back does not make it so. */
  #isFresh({ sentMs }: PlacedOrder): boolean {
    const ageMs = this.#world.now() - sentMs
    return ageMs >= 0 && ageMs < SENT_AGAIN_MS
  }

  /** Whether the server has nothing of this order; null where it did not say. */
  async #isFree(order: PlacedOrder): Promise<boolean | null> {
    const { status, reason } = await this.#send({ ...order, body: QUESTION })
    // A 400 without a reason is none of ours.
    return status === 400 && reason !== null ? true : status === 409 ? false : null
  }

  /**
   * Sends the order again. A 400 is the kept answer only where the key is known to be used. Otherwise it may come from a
   * server that does not know that another one is still running the order: from then on the key is only asked about.
   */
  async #again(order: PlacedOrder, isUsed: boolean): Promise<Outcome | 'doubted' | null> {
    const answer = await this.#send(order)
    return answer.status === 400 && !isUsed ? 'doubted' : this.#outcomeOf(answer, order, false)
  }

  /** Whether the session is that of whom the bet was placed by; where it is known not to be, waits for a change. */
  async #isTheirs(order: PlacedOrder): Promise<boolean> {
    const { signal } = this.#stopped
    const user = await this.#world.fetchUser(signal).catch(() => null)
    signal.throwIfAborted()
    if (user === null) {
      // It could not be found out: an attempt in vain like any other.
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

  async #send(order: PlacedOrder): Promise<PlacingAnswer> {
    const { signal } = this.#stopped
    const answer = await this.#world.sendTicket(order, signal)
    signal.throwIfAborted()
    return answer
  }

  /** What an answer says of the bet; null where it does not say. A first answer below 500 is one of that very request. */
  #outcomeOf(answer: PlacingAnswer, order: PlacedOrder, isFirst: boolean): Outcome | null {
    switch (answer.status) {
      case 200:
        return {
          kind: 'accepted',
          receipt: receiptOf(answer.body, order.ticket, selectRules(this.#store.getState())),
        }
      case 400:
        return answer.reason === null ? { kind: 'failed' } : { kind: 'refused', reason: answer.reason }
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
    // Not where the bettor has begun another one meanwhile.
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
    this.#store.dispatch(outcomeKnown(outcome))
  }

  #abandon(): void {
    this.#store.dispatch(placementAbandoned())
    this.#store.dispatch(noticeShown('placedElsewhere'))
  }

  /** What was on its way when the page was left. */
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

  /** Waits until no other tab asks, and asks where it is still not known. */
  #takeOver(): void {
    const { signal } = this.#stopped
    this.#world
      .locked(false, signal, async () => {
        const order = this.#orders.read()
        if (order && !order.outcome) {
          this.#store.dispatch(outcomeUnknown({}))
          // At once: nobody else has asked since.
          await this.#askOn(order, -1)
        }
      })
      .catch(ignoreStop)
  }

  /** Another tab began a bet, learned what came of one, or its bettor has read it. */
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
  // The page is left.
}
