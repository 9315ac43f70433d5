/** Finds the pairs that the ticket lost with their matches, and keeps the ticket that waits for a login. */
import type { AppStartListening, AppStore } from '../../app/store'
import type { MatchId } from '../../domain/offer'
import type { ReckonedTicket, TicketPair } from '../../domain/ticket/ticket'
import {
  loggedOut,
  memberSeen,
  selectAccountStatus,
  selectUser,
  strangerSeen,
} from '../../platform/account/accountSlice'
import { ticketReceived } from '../../platform/connection/hubMessages'
import { noticeShown } from '../../platform/notices/noticesSlice'
import { matchName } from '../../platform/offer/matchName'
import { selectMatch } from '../../platform/offer/offerSelectors'
import { framesApplied } from '../../platform/offer/offerSlice'
import type { BrowserStorage } from '../../platform/preferences/preferencesStorage'
import {
  addKeptTicket,
  pairsLost,
  selectWaitingTicket,
  ticketForgotten,
  ticketKept,
} from '../../platform/ticket/keptTicketSlice'
import { loadWaiting, saveWaiting } from '../../platform/ticket/keptTicketStorage'
import { selectChoice, selectPairCount } from '../../platform/ticket/ticketSelectors'
import { type TicketState, wished } from '../../platform/ticket/ticketSlice'
import { selectTicket } from '../../platform/ticket/totalsSelectors'
import { restoreAsked } from '../../platform/view/requests'
import { pageOpened } from '../../platform/view/viewSlice'

/** How long the ticket of a new session may take. */
const TICKET_WITHIN_MS = 5000

export function startKeptTicket(
  store: AppStore,
  startListening: AppStartListening,
  storage: BrowserStorage,
): () => void {
  addKeptTicket(store)
  const stops = [...lostPairs(startListening), ...waitingTicket(store, startListening, storage)]
  return () => {
    for (const stop of stops) {
      stop()
    }
  }
}

/**
 * A restart of the server gives all matches new ids, so that the ticket loses its pairs and no message names them. They
 * are compared with the new offer once it has arrived: if the match of a pair is in it, the pair was removed elsewhere.
 */
function lostPairs(startListening: AppStartListening) {
  let missing: readonly TicketPair[] = []
  /** Matches that the hub has removed from the offer. Another listener reports them. */
  const reported = new Set<MatchId>()
  return [
    startListening({
      actionCreator: framesApplied,
      effect: ({ payload }) => {
        for (const { id } of payload.deletedMatches) {
          reported.add(id)
        }
      },
    }),
    startListening({
      predicate: (action, now, before) => ticketReceived.match(action) || now.offer.status !== before.offer.status,
      effect: (action, { dispatch, getState, getOriginalState }) => {
        if (ticketReceived.match(action)) {
          missing = [...missing, ...missingFrom(action.payload.pairs, getOriginalState().ticket)]
        }
        const state = getState()
        if (missing.length === 0 || (state.offer.status !== 'ready' && state.offer.status !== 'recovering')) {
          return
        }
        const lost = missing.filter(({ matchId }) => !selectMatch(state, matchId) && !reported.has(matchId))
        missing = []
        if (lost.length === 0) {
          return
        }
        dispatch(pairsLost(lost))
        dispatch(noticeShown('noticePairsLost', { count: lost.length, matches: lost.map(matchName).join(', ') }))
        const { type, pairs } = selectChoice(state)
        if (type === 1 && pairs.length === 0) {
          dispatch(wished({ wish: 'type', type: 0 }))
        }
      },
    }),
  ]
}

/** The pairs of the server's last ticket that are not in the new one, except those that the bettor has removed. */
function missingFrom(pairs: readonly TicketPair[], { told, wishes }: TicketState): readonly TicketPair[] {
  return (told?.pairs ?? []).filter(
    ({ matchId }) =>
      !pairs.some((pair) => pair.matchId === matchId) &&
      !wishes.some(({ wish }) => wish.wish === 'clear' || (wish.wish === 'drop' && wish.matchId === matchId)),
  )
}

function waitingTicket({ dispatch, getState }: AppStore, startListening: AppStartListening, storage: BrowserStorage) {
  let isLeaving = false
  /** The ticket before the current connection, if this one began with an empty ticket. */
  let former: ReckonedTicket | null = null
  /** The user that lost the session. */
  let owner: string | null = null
  // Of the page before a reload. A login meanwhile, in another tab, ended the wait.
  const before = selectAccountStatus(getState()) === 'member' ? null : loadWaiting(storage)
  if (before) {
    owner = before.owner
    dispatch(ticketKept(before.ticket))
  } else {
    saveWaiting(storage, null)
  }
  return [
    startListening({
      predicate: (_, now, before) => selectWaitingTicket(now) !== selectWaitingTicket(before),
      effect: (_, api) => {
        const ticket = selectWaitingTicket(api.getState())
        saveWaiting(storage, ticket && { ticket, owner })
      },
    }),
    // The bettor has emptied the ticket.
    startListening({
      actionCreator: wished,
      effect: ({ payload: { wish } }, api) => {
        const removes = wish.wish === 'clear' || wish.wish === 'drop'
        if (removes && selectPairCount(api.getState()) === 0) {
          api.dispatch(ticketForgotten())
        }
      },
    }),
    startListening({
      actionCreator: ticketReceived,
      effect: ({ payload }, { getOriginalState }) => {
        const before = getOriginalState()
        if (!before.ticket.fresh) {
          former = payload.pairs.length === 0 ? withPairs(selectTicket(before)) : null
        }
      },
    }),
    startListening({
      actionCreator: pageOpened,
      effect: ({ payload: { forTicket } }, { dispatch, getState }) => {
        const ticket = forTicket && withPairs(selectTicket(getState()))
        if (ticket) {
          dispatch(ticketKept(ticket))
        }
      },
    }),
    startListening({
      actionCreator: loggedOut,
      effect: () => {
        isLeaving = true
      },
    }),
    startListening({
      actionCreator: strangerSeen,
      effect: (_, { dispatch, getState, getOriginalState }) => {
        const wasMember = selectAccountStatus(getOriginalState()) === 'member'
        const ticket = wasMember && !isLeaving ? (withPairs(selectTicket(getState())) ?? former) : null
        isLeaving = false
        former = null
        if (ticket) {
          owner = selectUser(getOriginalState())?.name ?? null
          dispatch(ticketKept(ticket))
        }
      },
    }),
    // The account may not have the ticket any more: then it is offered again.
    startListening({
      actionCreator: memberSeen,
      effect: async ({ payload }, api) => {
        const ticket = selectWaitingTicket(api.getOriginalState())
        const isTheirs = payload !== null && payload.name === owner
        owner = null
        if (!ticket || !isTheirs) {
          return
        }
        // The login changes the session, so that the hub reconnects and sends its ticket.
        await api.condition((action) => ticketReceived.match(action), TICKET_WITHIN_MS)
        if (selectPairCount(api.getState()) === 0) {
          const restore = { key: 'ticketRestore', action: restoreAsked(ticket) } as const
          api.dispatch(noticeShown('ticketKept', { count: ticket.pairs.length }, restore))
        }
      },
    }),
  ]
}

function withPairs(ticket: ReckonedTicket): ReckonedTicket | null {
  return ticket.pairs.length > 0 ? ticket : null
}
