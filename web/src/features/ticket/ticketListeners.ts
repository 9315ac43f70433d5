/**
 * Sends the queued ticket commands to the hub and handles acks and rejections. When the connection is lost, a command is
 * sent again on the next one, after the server has sent the current ticket. If the ticket shows its effect, it is
 * skipped.
 */
import type { AppStartListening, AppStore } from '../../app/store'
import type { MatchId } from '../../domain/offer'
import { type TicketChoice, type TicketPair, type TicketWish, withWish } from '../../domain/ticket/ticket'
import { ticketReceived } from '../../platform/connection/hubMessages'
import { noticeShown } from '../../platform/notices/noticesSlice'
import { matchName } from '../../platform/offer/matchName'
import { framesApplied } from '../../platform/offer/offerSlice'
import { selectChoice, selectPairCount } from '../../platform/ticket/ticketSelectors'
import {
  type TicketState,
  type WishEntry,
  wished,
  wishLost,
  wishRefused,
  wishSent,
  wishSettled,
} from '../../platform/ticket/ticketSlice'
import type { BettorCommand } from '../../protocol/commands'
import { HubError } from '../../protocol/hubClient'

export type Say = (command: BettorCommand) => Promise<void>

type Store = Pick<AppStore, 'getState' | 'dispatch'>

export function startTicket(store: AppStore, startListening: AppStartListening, say: Say): () => void {
  const stops = [
    startListening({
      predicate: (action) => wished.match(action) || ticketReceived.match(action),
      effect: (_, api) => sendQueued(api),
    }),
    startListening({
      actionCreator: wished,
      effect: (_, { dispatch, getState, getOriginalState }) => {
        // The server keeps the type of the ticket. The next ticket begins as a standard one.
        const { type, pairs } = selectChoice(getState())
        if (type === 1 && pairs.length === 0 && selectPairCount(getOriginalState()) > 0) {
          dispatch(wished({ wish: 'type', type: 0 }))
        }
      },
    }),
    startListening({
      actionCreator: wishSent,
      effect: async ({ payload: { id, wish, command } }, api) => {
        const error: unknown = await say(command).then(
          () => null,
          (reason: unknown) => reason,
        )
        const { code, message } = error instanceof HubError ? error : { code: '', message: '' }
        if (code === 'lost') {
          api.dispatch(wishLost(id))
          return
        }
        api.dispatch(error === null ? wishSettled(id) : wishRefused(id, wish, code, message))
        sendQueued(api)
      },
    }),
    startListening({
      actionCreator: wishRefused,
      effect: ({ payload: { wish, code, text } }, { dispatch }) => {
        const key = REFUSALS[code] ?? 'hubRefusedOther'
        // The pair to be removed is already gone.
        if (key !== null && !(code === 'unknown_pair' && wish.wish === 'drop')) {
          dispatch(noticeShown(key, { text }))
        }
      },
    }),
    startListening({
      actionCreator: framesApplied,
      effect: ({ payload }, { dispatch, getState }) => {
        const { told, former } = getState().ticket
        for (const { id, home, away } of payload.deletedMatches) {
          // The ticket and the offer report that a match has left in any order.
          if (told?.pairs.concat(former).some(({ matchId }) => matchId === id)) {
            dispatch(noticeShown('noticePairGone', { match: matchName({ home, away }) }))
          }
        }
      },
    }),
  ]
  sendQueued(store)
  const leave = () => sendLastStake(store)
  window.addEventListener('pagehide', leave)
  return () => {
    window.removeEventListener('pagehide', leave)
    for (const stop of stops) {
      stop()
    }
  }
}

/** The notice for each error code of the hub; null shows none. */
const REFUSALS: Readonly<
  Record<
    string,
    'hubRefusedGone' | 'hubRefusedNotOffered' | 'hubRefusedTooManyPairs' | 'hubRefusedTooManyFavourites' | null
  >
> = {
  unknown_match: 'hubRefusedGone',
  unknown_market: 'hubRefusedGone',
  unknown_odd: 'hubRefusedGone',
  not_offered: 'hubRefusedNotOffered',
  too_many_pairs: 'hubRefusedTooManyPairs',
  too_many_favourites: 'hubRefusedTooManyFavourites',
  not_on_ticket: null,
}

/** Sends the queued changes that are not sent yet. Waits until the connection has received the current ticket. */
function sendQueued({ dispatch, getState }: Store): void {
  const { ticket, connection } = getState()
  if (!ticket.fresh || connection.status !== 'open') {
    return
  }
  const lastStake = ticket.wishes.findLast(isStake)
  for (const entry of ticket.wishes) {
    const { wishes, sent } = getState().ticket
    if (sent.includes(entry.id)) {
      continue
    }
    const command = isStake(entry) && entry !== lastStake ? null : commandFor(entry.wish, before(ticket, entry))
    if (!command) {
      dispatch(wishSettled(entry.id))
      continue
    }
    // Only one stake is sent at a time. A key held down sends fewer stakes this way, and always the last one.
    if (!(isStake(entry) && wishes.some((other) => isStake(other) && sent.includes(other.id)))) {
      dispatch(wishSent({ ...entry, command }))
    }
  }
}

/** Called when the page is closed: a stake that waits for the ack of an earlier stake is sent at once. */
function sendLastStake(store: Store): void {
  const { wishes, sent } = store.getState().ticket
  for (const entry of wishes) {
    if (isStake(entry) && sent.includes(entry.id)) {
      store.dispatch(wishSettled(entry.id))
    }
  }
  sendQueued(store)
}

const isStake = ({ wish }: WishEntry) => wish.wish === 'stake'

/** The ticket as the server will have it when it receives this entry: with all earlier entries applied. */
function before({ told, wishes }: TicketState, entry: WishEntry): TicketChoice | null {
  const earlier = wishes.slice(0, wishes.indexOf(entry))
  return told && earlier.reduce<TicketChoice>((ticket, { wish }) => withWish(ticket, wish), told)
}

/**
 * The command for a queue entry; null if the ticket already shows its effect, as a second `pick` would undo the first.
 */
function commandFor(wish: TicketWish, ticket: TicketChoice | null): BettorCommand | null {
  switch (wish.wish) {
    case 'pick': {
      const { matchId, marketId, oddId } = wish.pair
      return holds(ticket, matchId)?.oddId === oddId ? null : { verb: 'pick', matchId, marketId, oddId }
    }
    case 'drop':
      return holds(ticket, wish.matchId) ? { verb: 'drop', matchId: wish.matchId } : null
    case 'fix':
      return { verb: 'fix', matchId: wish.matchId, on: wish.on }
    case 'type':
      return { verb: 'type', type: wish.type }
    case 'combination':
      return { verb: 'combination', k: wish.k }
    case 'stake':
      return { verb: 'stake', text: wish.text }
    case 'consent':
      return { verb: 'consent', consent: wish.consent }
    case 'clear':
      return { verb: 'clear' }
  }
}

function holds(ticket: TicketChoice | null, matchId: MatchId): TicketPair | undefined {
  return ticket?.pairs.find((pair) => pair.matchId === matchId)
}
