/**
 * Places singles and finds out what became of each. Every bet has its own idempotency key, and all are stored before the
 * first is sent. What has no answer is sent again with its key for a minute, then only asked about, also after a reload
 * or from another tab. The lock of placing ensures that one tab does this at a time.
 */
import type { ListenerEffectAPI } from '@reduxjs/toolkit'
import type { AppDispatch, AppStartListening, AppStore, RootState } from '../../app/store'
import type { ReckonedTicket, TicketPair } from '../../domain/ticket/ticket'
import { balanceTold, loggedOut, selectUser, strangerSeen } from '../../platform/account/accountSlice'
import { selectExclusion, sessionEnded, statusDoubted } from '../../platform/account/protectionSlice'
import { noticeShown } from '../../platform/notices/noticesSlice'
import { selectLanguage } from '../../platform/preferences/preferencesSelectors'
import { selectDelays } from '../../platform/ticket/rulesSlice'
import { selectSingles, singleRefused } from '../../platform/ticket/singlesSlice'
import { selectChoice } from '../../platform/ticket/ticketSelectors'
import { wished } from '../../platform/ticket/ticketSlice'
import { pageOpened } from '../../platform/view/viewSlice'
import { backoffMs } from '../../protocol/backoff'
import { barredShown } from './barred'
import { selectCanReach } from './canReach'
import { onePressDue } from './onePressSlice'
import { orderBody, slowestDelay } from './order'
import type { Outcome } from './placementState'
import { isOtherMember, locked, ON_ITS_WAY_MS, outcomeOf, type PlacingWorld, QUESTION, SENT_AGAIN_MS } from './placing'
import { obstacleToSingles } from './singlesObstacle'
import {
  addSinglesOrder,
  selectSinglesOrder,
  singleAnswered,
  singlesAbandoned,
  singlesConfirmed,
  singlesDeclined,
  singlesFound,
  singlesKnown,
  singlesRead,
  singlesSent,
  singlesUnsure,
} from './singlesOrderSlice'
import { SinglesStore, type StoredSingle, type StoredSingles } from './singlesStore'

interface Flow {
  readonly api: ListenerEffectAPI<RootState, AppDispatch>
  readonly world: PlacingWorld
  readonly orders: SinglesStore
}

/** A bet whose outcome is not known, and what the client has found out about it. */
interface Asked {
  readonly order: StoredSingle
  /** It was not sent before: any answer from 200 to 499 is its outcome. */
  isFirst: boolean
  /** A repeated order was rejected, but the first may have been accepted: the client only asks. */
  isDoubted: boolean
  /** Since when the key is known to be unused. */
  freeSinceMs: number | null
}

export function startSinglesOrder(store: AppStore, startListening: AppStartListening, world: PlacingWorld): () => void {
  addSinglesOrder(store)
  const orders = new SinglesStore(world, () => store.dispatch(singlesFound()))
  const stops = [
    startListening({
      actionCreator: singlesConfirmed,
      effect: async (_, api) => {
        const order = selectSinglesOrder(api.getState())
        if (order.stage === 'confirming' && selectCanReach(api.getState())) {
          await begin({ api, world, orders }, order.sinceMs)
        }
      },
    }),
    startListening({
      actionCreator: onePressDue,
      effect: ({ payload: { ticket, sinceMs } }, api) => place({ api, world, orders }, [ticket], sinceMs, true),
    }),
    startListening({ actionCreator: singlesFound, effect: (_, api) => takeOver({ api, world, orders }) }),
    startListening({
      actionCreator: singleAnswered,
      effect: async ({ payload: { key, outcome } }, api) => {
        const pair = orders.read()?.orders.find((order) => order.key === key)?.ticket.pairs[0]
        if (pair && outcome.kind === 'accepted' && !orders.read()?.isOnePress) {
          await dropPair(api, pair)
        }
      },
    }),
    startListening({
      actionCreator: singlesRead,
      effect: (_, api) => {
        const order = selectSinglesOrder(api.getOriginalState())
        if (order.stage === 'known') {
          orders.forget(order.items[0]?.key)
        }
      },
    }),
    startListening({
      predicate: isOtherMember,
      effect: (_, api) => {
        const held = orders.read()
        if (held && held.user !== selectUser(api.getState())?.name) {
          forgetKnown({ api, world, orders })
        }
      },
    }),
    startListening({
      predicate: (_, now, before) => selectExclusion(now) !== null && selectExclusion(before) === null,
      effect: (_, api) => {
        if (selectSinglesOrder(api.getState()).stage === 'confirming') {
          api.dispatch(singlesDeclined())
          api.dispatch(barredShown)
        }
      },
    }),
    startListening({
      predicate: (action) => sessionEnded.match(action) || loggedOut.match(action),
      effect: (action, api) => {
        api.dispatch(singlesDeclined())
        if (loggedOut.match(action)) {
          forgetKnown({ api, world, orders })
        }
      },
    }),
  ]
  if (orders.read()) {
    store.dispatch(singlesFound())
  }
  return () => {
    for (const stop of stops) {
      stop({ cancelActive: true })
    }
    orders.stop()
  }
}

function isPending({ orders }: StoredSingles): boolean {
  return orders.some(({ outcome }) => outcome === null)
}

/** Removes the stored singles, which contain user and stakes, unless an outcome is still unknown. */
function forgetKnown({ api, orders }: Flow): void {
  const held = orders.read()
  if (held && !isPending(held)) {
    orders.forget(held.orders[0]?.key)
    if (selectSinglesOrder(api.getState()).stage === 'known') {
      api.dispatch(singlesAbandoned())
    }
  }
}

/** Begins to place those of the ticket. `sinceMs` is the time from which the bettor has seen the dialog. */
async function begin(flow: Flow, sinceMs: number): Promise<void> {
  const { api } = flow
  const state = api.getState()
  const obstacle = obstacleToSingles(state)
  if (selectExclusion(state) || obstacle) {
    api.dispatch(singlesAbandoned())
    api.dispatch(obstacle ? noticeShown(obstacle.key, obstacle.values) : barredShown)
    return
  }
  await place(flow, selectSingles(state), sinceMs, false)
}

async function place(
  { api, world, orders }: Flow,
  tickets: readonly ReckonedTicket[],
  sinceMs: number,
  isOnePress: boolean,
): Promise<void> {
  const state = api.getState()
  const language = selectLanguage(state)
  const singles: StoredSingles = {
    id: world.uuid(),
    user: selectUser(state)?.name ?? null,
    sentMs: world.now(),
    isOnePress,
    orders: tickets.map((ticket) => ({
      key: world.uuid(),
      body: JSON.stringify(orderBody(ticket)),
      language,
      delaySeconds: slowestDelay(ticket, selectDelays(state)),
      ticket,
      outcome: null,
    })),
  }
  api.dispatch(singlesSent(shownOf(singles)))
  const wasFree = await locked({ api, world }, true, async () => {
    const held = orders.read()
    // Another tab has singles with an unknown outcome, or placed some while our dialog was open.
    if (held && (isPending(held) || held.sentMs >= sinceMs)) {
      abandon(api)
      return
    }
    // Only the user who placed them may ask about them, so the name must be known before they are sent.
    const user = singles.user ?? (await world.fetchUser(api.signal).catch(() => null))?.name ?? null
    orders.begin({ ...singles, user })
    await settle({ api, world, orders }, { ...singles, user }, true)
  })
  if (!wasFree) {
    abandon(api)
  }
}

function abandon({ dispatch }: Flow['api']): void {
  dispatch(singlesAbandoned())
  dispatch(noticeShown('placedElsewhere'))
}

function shownOf({ sentMs, orders, isOnePress }: StoredSingles) {
  const delaySeconds = Math.max(0, ...orders.map((order) => order.delaySeconds))
  return {
    sentMs,
    delaySeconds,
    isOnePress: isOnePress === true,
    items: orders.map(({ key, ticket, outcome }) => ({ key, ticket, outcome })),
  }
}

/** Continues with what the storage has: asks about what is not known, or shows what this tab has placed. */
async function takeOver({ api, world, orders }: Flow): Promise<void> {
  const { stage } = selectSinglesOrder(api.getState())
  const found = orders.read()
  if (!found) {
    if (stage === 'known' || stage === 'sending') {
      api.dispatch(singlesAbandoned())
    }
    return
  }
  if (!isPending(found)) {
    if (stage === 'sending' || orders.isMine(found)) {
      api.dispatch(singlesKnown(shownOf(found)))
    }
    showBalance(api, found)
    return
  }
  if (stage === 'sending') {
    return
  }
  // A receipt stays until it is read.
  if (stage !== 'known') {
    api.dispatch(singlesSent({ ...shownOf(found), isHidden: true }))
  }
  await locked({ api, world }, false, async () => {
    const held = orders.read()
    if (held && isPending(held)) {
      await settle({ api, world, orders }, held, false)
    }
  })
}

/** Sends and asks until all outcomes are known. */
async function settle(flow: Flow, singles: StoredSingles, isNew: boolean): Promise<void> {
  const { api, world, orders } = flow
  let open = singles.orders
    .filter(({ outcome }) => outcome === null)
    .map((order): Asked => ({ order, isFirst: isNew, isDoubted: false, freeSinceMs: null }))
  for (let round = 0; ; round += 1) {
    if ((isNew && round === 0) || (await isTheirs(flow, singles))) {
      const outcomes = await Promise.all(
        open.map(async (asked) => {
          const outcome = await ask(flow, singles, asked)
          if (outcome && outcome !== 'login') {
            end(flow, singles, asked.order, outcome)
          }
          return outcome
        }),
      )
      if (round === 0 && outcomes.every((outcome) => outcome === 'login')) {
        orders.forget(singles.orders[0]?.key)
        api.dispatch(singlesAbandoned())
        api.dispatch(strangerSeen())
        api.dispatch(pageOpened('login', true))
        return
      }
      for (const [place, outcome] of outcomes.entries()) {
        const asked = open[place]
        if (outcome === 'login' && asked) {
          end(flow, singles, asked.order, { kind: 'failed' })
        }
      }
      open = open.filter((_, place) => outcomes[place] === null)
      if (open.length === 0) {
        finish(flow, singles)
        return
      }
      api.dispatch(singlesUnsure({ login: false }))
    }
    await api.delay(backoffMs(round, world.random))
  }
}

/** One request about a bet. Null if it does not show the outcome; `login` if the first one needs a login. */
async function ask(flow: Flow, { sentMs }: StoredSingles, asked: Asked): Promise<Outcome | 'login' | null> {
  const { api, world } = flow
  const { order, isFirst } = asked
  const ageMs = world.now() - sentMs
  const isFresh = ageMs >= 0 && ageMs < SENT_AGAIN_MS
  let isUsed = false
  if (asked.isDoubted || !(isFirst || isFresh)) {
    const isFree = await isKeyFree(flow, order)
    if (isFree === null) {
      return null
    }
    if (isFree) {
      // A request that timed out can still reach the server.
      asked.freeSinceMs ??= world.now()
      const isOver = world.now() - asked.freeSinceMs >= ON_ITS_WAY_MS + order.delaySeconds * 1000
      return isOver ? { kind: 'notPlaced' } : null
    }
    isUsed = true
  }
  const answer = await world.sendTicket(order, api.signal)
  api.throwIfCancelled()
  asked.isFirst = false
  if (answer.status === 401) {
    return isFirst ? 'login' : null
  }
  if (answer.status === 400 && !isFirst && !isUsed) {
    asked.isDoubted = true
    return null
  }
  return outcomeOf({ api }, answer, order, isFirst)
}

/** Whether the key is unused, so that the server has not processed the bet; null if the answer does not show it. */
async function isKeyFree({ api, world }: Flow, order: StoredSingle): Promise<boolean | null> {
  const { status, text } = await world.sendTicket({ ...order, body: QUESTION }, api.signal)
  api.throwIfCancelled()
  return status === 400 && text !== null ? true : status === 409 ? false : null
}

/** Whether the user who placed them is logged in. If another user is, or none, waits until the user changes. */
async function isTheirs({ api, world }: Flow, { user }: StoredSingles): Promise<boolean> {
  const now = await world.fetchUser(api.signal).catch(() => null)
  api.throwIfCancelled()
  if (now && (user === null || now.name === user)) {
    return true
  }
  if (now !== null) {
    if (now === undefined) {
      api.dispatch(strangerSeen())
    }
    api.dispatch(singlesUnsure({ login: true }))
    await api.take(isOtherMember)
  }
  return false
}

/** Stores and shows an outcome. */
function end({ api, orders }: Flow, singles: StoredSingles, { key, ticket }: StoredSingle, outcome: Outcome): void {
  orders.end(singles.id, key, outcome)
  api.dispatch(singleAnswered({ key, outcome }))
  const [pair] = ticket.pairs
  if (pair && outcome.kind === 'refused' && !singles.isOnePress) {
    api.dispatch(singleRefused({ oddId: pair.oddId, reason: outcome.reason }))
  }
}

/** An accepted pair leaves the ticket, unless the bettor has picked another odd of the match. */
async function dropPair(api: Flow['api'], { matchId, oddId }: TicketPair): Promise<void> {
  // After a reload the outcome can be known before the ticket.
  if (!api.getState().ticket.told) {
    await api.condition((_action, { ticket }) => ticket.told !== null)
  }
  if (selectChoice(api.getState()).pairs.some((pair) => pair.oddId === oddId)) {
    api.dispatch(wished({ wish: 'drop', matchId }))
  }
}

function finish({ api, orders }: Flow, singles: StoredSingles): void {
  const known = orders.read() ?? singles
  const shown = shownOf(known)
  api.dispatch(singlesKnown(shown))
  showBalance(api, known)
  // The server may know of an exclusion that the page does not know yet.
  if (shown.items.some(({ outcome }) => outcome?.kind === 'refused')) {
    api.dispatch(statusDoubted())
  }
}

/** Each answer has the balance after its bet, so the lowest is the last. */
function showBalance({ dispatch, getState }: Flow['api'], { user, orders }: StoredSingles): void {
  const balances = orders.flatMap(({ outcome }) =>
    outcome?.kind === 'accepted' && outcome.receipt.balance !== null ? outcome.receipt.balance : [],
  )
  if (balances.length > 0 && (selectUser(getState())?.name ?? null) === user) {
    dispatch(balanceTold(balances.reduce((a, b) => (Number(a) < Number(b) ? a : b))))
  }
}
