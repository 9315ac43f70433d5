/**
 * The steps of placing a bet, which run in listener effects (`placingListeners.ts`): send the order, and ask for its
 * outcome until it is known. A lock ensures that only one tab does this, from before the order is stored until its
 * outcome is stored.
 */
import type { ListenerEffectAPI } from '@reduxjs/toolkit'
import type { Order, OrderAnswer } from '../../api/order'
import type { AppDispatch, RootState } from '../../app/store'
import type { FetchUser } from '../../platform/account/accountListeners'
import { balanceTold, memberSeen, selectUser, strangerSeen } from '../../platform/account/accountSlice'
import { noticeShown } from '../../platform/notices/noticesSlice'
import { selectRules } from '../../platform/ticket/rulesSlice'
import { wished } from '../../platform/ticket/ticketSlice'
import { selectTicket } from '../../platform/ticket/totalsSelectors'
import { pageOpened } from '../../platform/view/viewSlice'
import { backoffMs } from '../../protocol/backoff'
import { changesOf, isSameBet, leftOf, receiptOf } from './order'
import {
  keyFree,
  outcomeKnown,
  outcomeUnknown,
  placementAbandoned,
  rejectionDoubted,
  requestDelayed,
  selectInquiry,
  unknownRead,
} from './placementSlice'
import type { Outcome } from './placementState'
import type { PlacedOrder, PlacementStore, PlacementStoreWorld } from './placementStore'
import { requestAnswered, requestSent } from './placingSteps'

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
export const QUESTION = '{}'

export interface PlacingWorld extends PlacementStoreWorld {
  readonly sendTicket: (order: Order, signal: AbortSignal) => Promise<OrderAnswer>
  readonly fetchUser: FetchUser
  /** Runs `run` under the lock that all tabs share. With `ifFree` it does not wait; false means the lock was taken. */
  readonly locked: (ifFree: boolean, signal: AbortSignal, run: () => Promise<void>) => Promise<boolean>
  readonly uuid: () => string
  readonly now: () => number
  /** Between 0 and 1. */
  readonly random: () => number
}

/** What each step needs: the API of the listener effect in which it runs, the environment and the stored order. */
export interface Flow {
  readonly api: ListenerEffectAPI<RootState, AppDispatch>
  readonly world: PlacingWorld
  readonly orders: PlacementStore
}

/** Stores and sends a new order. `sinceMs` is the time from which the bettor has seen the dialog. */
export async function sendFirst(flow: Flow, unnamed: PlacedOrder, sinceMs: number): Promise<void> {
  const { api, world, orders } = flow
  const held = orders.read()
  // Another tab has a bet with an unknown outcome, or placed a bet while our dialog was open.
  if (held && (!held.outcome || held.sentMs >= sinceMs)) {
    abandon(flow)
    return
  }
  // Only the user who placed the bet may ask about it, so the name must be known before it is sent.
  const user = unnamed.user ?? (await world.fetchUser(api.signal).catch(() => null))?.name ?? null
  const order = { ...unnamed, user }
  orders.begin(order)
  const answer = await send(flow, order)
  if (answer.status === 401) {
    orders.forget(order.key)
    api.dispatch(placementAbandoned())
    api.dispatch(strangerSeen())
    api.dispatch(pageOpened('login', true))
    return
  }
  const outcome = outcomeOf(flow, answer, order, true)
  if (outcome) {
    finish(flow, order, outcome)
    return
  }
  await showUnknown(flow, answer.status)
  await askOn(flow, order)
}

/** Runs `run` under the lock of all tabs. A stopped effect leaves the lock's queue with an error of the browser. */
export async function locked(
  { api, world }: Pick<Flow, 'api' | 'world'>,
  ifFree: boolean,
  run: () => Promise<void>,
): Promise<boolean> {
  const wasFree = await world.locked(ifFree, api.signal, run).catch((error: unknown) => {
    api.throwIfCancelled()
    throw error
  })
  api.throwIfCancelled()
  return wasFree
}

/** Another tab is placing a bet. */
export function abandon({ api }: Flow): void {
  api.dispatch(placementAbandoned())
  api.dispatch(noticeShown('placedElsewhere'))
}

/** Shows the message of CONTRACT 4 for an answer without an outcome. A popup is shown for its full time. */
async function showUnknown({ api }: Flow, status: number): Promise<void> {
  if (status >= 200) {
    api.dispatch(outcomeUnknown({ said: status === 500 ? 'communicationError' : 'error' }))
    return
  }
  api.dispatch(wished({ wish: 'clear' }))
  api.dispatch(outcomeUnknown({ said: 'popup' }))
  await api.delay(POPUP_MS)
  api.dispatch(unknownRead())
}

/** Asks until the outcome is known. Only as the user who placed the bet: for another user it would be another bet. */
export async function askOn(flow: Flow, order: PlacedOrder, { isAtOnce = false } = {}): Promise<void> {
  const { api, world } = flow
  for (let waits = !isAtOnce; ; waits = true) {
    if (waits) {
      const ms = backoffMs(selectInquiry(api.getState()).waits, world.random)
      api.dispatch(requestDelayed(ms))
      await api.delay(ms)
    }
    if (!(await isTheirs(flow, order))) {
      continue
    }
    const { wasFree, isDoubted } = selectInquiry(api.getState())
    const isFree = isDoubted || !isFresh(flow, order) ? await isKeyFree(flow, order) : undefined
    if (isFree && !wasFree) {
      api.dispatch(keyFree())
      await api.delay(ON_ITS_WAY_MS + order.delaySeconds * 1000)
      continue
    }
    if (isFree === null) {
      continue
    }
    const outcome = isFree ? ({ kind: 'notPlaced' } as const) : await sendAgain(flow, order, isFree === false)
    if (outcome) {
      finish(flow, order, outcome)
      return
    }
  }
}

/** Whether the order may still be sent again. If the clock was set back, it may not. */
function isFresh({ world }: Flow, { sentMs }: PlacedOrder): boolean {
  const ageMs = world.now() - sentMs
  return ageMs >= 0 && ageMs < SENT_AGAIN_MS
}

/** Whether the key is unused, so that the server has not processed the order; null if the answer does not show it. */
async function isKeyFree(flow: Flow, order: PlacedOrder): Promise<boolean | null> {
  const { status, text } = await send(flow, { ...order, body: QUESTION })
  // A 400 without a text does not come from our server.
  return status === 400 && text !== null ? true : status === 409 ? false : null
}

/**
 * Sends the order again. A 400 is the stored answer of the order only if the key is known to be used. Otherwise
 * another server may still be processing the order. From then on the client only asks about the key.
 */
async function sendAgain(flow: Flow, order: PlacedOrder, isUsed: boolean): Promise<Outcome | null> {
  const answer = await send(flow, order)
  if (answer.status === 400 && !isUsed) {
    flow.api.dispatch(rejectionDoubted())
    return null
  }
  return outcomeOf(flow, answer, order, false)
}

/** Whether the user who placed the bet is logged in. If another user or nobody is, waits until the user changes. */
async function isTheirs({ api, world }: Flow, order: PlacedOrder): Promise<boolean> {
  const user = await world.fetchUser(api.signal).catch(() => null)
  api.throwIfCancelled()
  if (user === null) {
    // The user could not be found out: this counts as a failed attempt.
    return false
  }
  if (user && (order.user === null || user.name === order.user)) {
    api.dispatch(outcomeUnknown({}))
    return true
  }
  if (user === undefined) {
    api.dispatch(strangerSeen())
  }
  api.dispatch(outcomeUnknown({ login: true }))
  await api.take(isOtherMember)
  return false
}

/** Whether the action signs in a user other than the one before. */
export function isOtherMember(action: unknown, now: RootState, before: RootState): boolean {
  return memberSeen.match(action) && selectUser(now)?.name !== selectUser(before)?.name
}

async function send({ api, world }: Flow, order: PlacedOrder): Promise<OrderAnswer> {
  const { key } = order
  api.dispatch(requestSent({ key, isQuestion: order.body === QUESTION }))
  const answer = await world.sendTicket(order, api.signal)
  api.throwIfCancelled()
  api.dispatch(requestAnswered({ key, status: answer.status }))
  return answer
}

/** The outcome shown by an answer; null if it shows none. Only a first answer from 200 to 499 is always an outcome. */
export function outcomeOf(
  { api }: Pick<Flow, 'api'>,
  answer: OrderAnswer,
  order: Pick<PlacedOrder, 'ticket'>,
  isFirst: boolean,
): Outcome | null {
  switch (answer.status) {
    case 200:
      return { kind: 'accepted', receipt: receiptOf(answer.body, order.ticket, selectRules(api.getState())) }
    case 400:
      return answer.text === null
        ? { kind: 'failed' }
        : { kind: 'refused', reason: answer.text, changes: changesOf(answer.body), ...leftOf(answer.body) }
    case 409:
      return { kind: 'failed' }
    default:
      return isFirst && answer.status >= 200 && answer.status < 500 ? { kind: 'failed' } : null
  }
}

function finish(flow: Flow, order: PlacedOrder, outcome: Outcome): void {
  flow.orders.end(order, outcome)
  showOutcome(flow, order, outcome)
}

/** Shows an outcome that has just become known, in this tab or in another one. */
export function showOutcome({ api, world }: Flow, order: PlacedOrder, outcome: Outcome): void {
  api.dispatch(outcomeKnown(outcome, { key: order.key, shownMs: world.now() }))
  if (outcome.kind !== 'accepted') {
    return
  }
  showBalance(api, order, outcome)
  // If the bettor has started another ticket meanwhile, it must stay.
  if (isSameBet(selectTicket(api.getState()), order.ticket)) {
    api.dispatch(wished({ wish: 'clear' }))
  }
}

export function showBalance({ dispatch, getState }: Flow['api'], { user }: PlacedOrder, outcome: Outcome): void {
  const balance = outcome.kind === 'accepted' ? outcome.receipt.balance : null
  if (balance !== null && user === (selectUser(getState())?.name ?? null)) {
    dispatch(balanceTold(balance))
  }
}
