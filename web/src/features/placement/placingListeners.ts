/**
 * Places a bet and finds out its outcome. The bet is stored, with its idempotency key, before it is sent, so that it
 * can be sent again without being placed twice. The server is asked until the outcome is known, also after a reload or
 * from another tab.
 */
import type { AppStartListening, AppStore } from '../../app/store'
import type { ReckonedTicket } from '../../domain/ticket/ticket'
import { loggedOut, selectUser } from '../../platform/account/accountSlice'
import { selectExclusion, sessionEnded, statusDoubted } from '../../platform/account/protectionSlice'
import { noticeShown } from '../../platform/notices/noticesSlice'
import { selectLanguage } from '../../platform/preferences/preferencesSelectors'
import { selectDelays, selectRules } from '../../platform/ticket/rulesSlice'
import { obstacleTo, selectTicket } from '../../platform/ticket/totalsSelectors'
import { barredShown } from './barred'
import { selectCanReach } from './canReach'
import { startOnePress } from './onePressListeners'
import { orderBody, slowestDelay, withPrices } from './order'
import {
  addPlacement,
  confirmationDeclined,
  outcomeKnown,
  outcomeRead,
  outcomeUnknown,
  placementAbandoned,
  placementSent,
  selectPlacement,
} from './placementSlice'
import { type PlacedOrder, PlacementStore } from './placementStore'
import {
  abandon,
  askOn,
  type Flow,
  isOtherMember,
  locked,
  type PlacingWorld,
  sendFirst,
  showBalance,
  showOutcome,
} from './placing'
import { betConfirmed, changesAccepted, orderResumed, storedElsewhere } from './placingSteps'
import { startSinglesOrder } from './singlesListeners'

export function startPlacing(store: AppStore, startListening: AppStartListening, world: PlacingWorld): () => void {
  addPlacement(store)
  const stopSingles = startSinglesOrder(store, startListening, world)
  const stopOnePress = startOnePress(store, startListening, world.now)
  const orders = new PlacementStore(world, (order) => store.dispatch(storedElsewhere(order)))
  const stops = [
    startListening({
      actionCreator: betConfirmed,
      effect: async (_, api) => {
        const state = api.getState()
        const placement = selectPlacement(state)
        // While the server cannot be reached, the dialog shows old data: it stays open until the data is current.
        if (placement.stage === 'confirming' && selectCanReach(state)) {
          await begin({ api, world, orders }, selectTicket(state), placement.sinceMs)
        }
      },
    }),
    startListening({
      actionCreator: changesAccepted,
      effect: async ({ payload }, api) => {
        const state = api.getState()
        const placement = selectPlacement(state)
        const rejected = placement.stage === 'known' && placement.outcome.kind === 'refused' ? placement : null
        if (rejected?.key && selectCanReach(state)) {
          // It is placed again as a new order, at the prices that the bettor has seen.
          orders.forget(rejected.key)
          const ticket = withPrices(selectTicket(state), new Map(payload), selectRules(state))
          await begin({ api, world, orders }, ticket, rejected.shownMs ?? 0)
        }
      },
    }),
    startListening({
      actionCreator: outcomeRead,
      effect: (_, api) => {
        const placement = selectPlacement(api.getOriginalState())
        if (placement.stage === 'known' && placement.key) {
          orders.forget(placement.key)
        }
      },
    }),
    startListening({
      actionCreator: orderResumed,
      effect: async ({ payload: order }, api) => {
        if (!order.outcome) {
          api.dispatch(outcomeUnknown({}))
          await takeOver({ api, world, orders })
        } else if (orders.isMine(order)) {
          api.dispatch(outcomeKnown(order.outcome, { key: order.key, shownMs: world.now() }))
        }
      },
    }),
    startListening({
      actionCreator: storedElsewhere,
      effect: async ({ payload: order }, api) => {
        const flow = { api, world, orders }
        const { stage } = selectPlacement(api.getState())
        if (!order) {
          if (stage === 'known' || stage === 'unknown') {
            api.dispatch(placementAbandoned())
          }
        } else if (!order.outcome) {
          await takeOver(flow)
        } else if (stage === 'unknown' || orders.isMine(order)) {
          showOutcome(flow, order, order.outcome)
        } else {
          showBalance(api, order, order.outcome)
        }
      },
    }),
    startListening({
      predicate: isOtherMember,
      effect: (_, api) => {
        const user = selectUser(api.getState())
        const held = orders.read()
        if (user && held?.user && held.user !== user.name) {
          forgetKnown({ api, world, orders })
        }
      },
    }),
    startListening({ actionCreator: loggedOut, effect: (_, api) => forgetKnown({ api, world, orders }) }),
    // An exclusion closes what could still place a bet.
    startListening({
      predicate: (_, now, before) => selectExclusion(now) !== null && selectExclusion(before) === null,
      effect: (_, api) => {
        const placement = selectPlacement(api.getState())
        if (placement.stage === 'confirming') {
          api.dispatch(confirmationDeclined())
          api.dispatch(barredShown)
        } else if (
          placement.stage === 'known' &&
          placement.outcome.kind === 'refused' &&
          placement.outcome.changes?.length
        ) {
          api.dispatch(outcomeRead())
          api.dispatch(barredShown)
        }
      },
    }),
    startListening({
      predicate: (action) => sessionEnded.match(action) || loggedOut.match(action),
      effect: (_, api) => {
        api.dispatch(confirmationDeclined())
      },
    }),
    // The server may know of an exclusion that the page does not know yet.
    startListening({
      actionCreator: outcomeKnown,
      effect: ({ payload: { outcome } }, api) => {
        if (outcome.kind === 'refused') {
          api.dispatch(statusDoubted())
        }
      },
    }),
  ]
  // A bet that was stored when the page was closed.
  const order = orders.read()
  if (order) {
    store.dispatch(orderResumed(order))
  }
  return () => {
    for (const stop of stops) {
      stop({ cancelActive: true })
    }
    orders.stop()
    stopSingles()
    stopOnePress()
  }
}

/** Begins a new order. `sinceMs` is the time from which the bettor has seen the dialog. */
async function begin(flow: Flow, ticket: ReckonedTicket, sinceMs: number): Promise<void> {
  const { api, world } = flow
  const state = api.getState()
  if (selectExclusion(state)) {
    api.dispatch(placementAbandoned())
    api.dispatch(barredShown)
    return
  }
  const obstacle = obstacleTo(ticket)
  if (obstacle !== null) {
    // Another tab or a change of the match has made the ticket invalid while the dialog was open.
    api.dispatch(placementAbandoned())
    api.dispatch(noticeShown(obstacle))
    return
  }
  const delaySeconds = slowestDelay(ticket, selectDelays(state))
  const sentMs = world.now()
  api.dispatch(placementSent({ sentMs, delaySeconds }))
  const order: PlacedOrder = {
    key: world.uuid(),
    body: JSON.stringify(orderBody(ticket)),
    language: selectLanguage(state),
    delaySeconds,
    user: selectUser(state)?.name ?? null,
    sentMs,
    ticket,
    outcome: null,
  }
  const wasFree = await locked(flow, true, () => sendFirst(flow, order, sinceMs))
  if (!wasFree) {
    abandon(flow)
  }
}

/** Waits for the lock, and then asks if the outcome is still unknown. */
async function takeOver(flow: Flow): Promise<void> {
  await locked(flow, false, async () => {
    const order = flow.orders.read()
    if (order && !order.outcome) {
      flow.api.dispatch(outcomeUnknown({}))
      await askOn(flow, order, { isAtOnce: true })
    }
  })
}

/** Removes the stored bet, which contains user and stake, unless its outcome is still unknown. */
function forgetKnown({ api, orders }: Flow): void {
  const held = orders.read()
  if (!held?.outcome) {
    return
  }
  orders.forget(held.key)
  if (selectPlacement(api.getState()).stage === 'known') {
    api.dispatch(placementAbandoned())
  }
}
