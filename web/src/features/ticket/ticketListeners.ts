/**
 * Sends the queued ticket commands to the hub and handles acks and rejections. A command whose connection is lost is
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
import { type TicketState, type WishEntry, wished, wishRefused, wishSettled } from '../../platform/ticket/ticketSlice'
import type { BettorCommand } from '../../protocol/commands'
import { HubError } from '../../protocol/hubClient'

export type Say = (command: BettorCommand) => Promise<void>

export function startTicket(store: AppStore, startListening: AppStartListening, say: Say): () => void {
  const sync = new TicketSync(store, say)
  /** The pairs of the last two tickets. When a match leaves, the ticket and the offer report it in any order. */
  let lately: readonly TicketPair[] = []
  sync.flush()
  const stops = [
    startListening({ actionCreator: wished, effect: () => sync.flush() }),
    startListening({
      actionCreator: ticketReceived,
      effect: ({ payload }, api) => {
        lately = [...payload.pairs, ...(api.getOriginalState().ticket.told?.pairs ?? [])]
        sync.flush()
      },
    }),
    startListening({
      actionCreator: wishRefused,
      effect: ({ payload: { wish, code, text } }) => {
        const key = REFUSALS[code] ?? 'hubRefusedOther'
        // The pair to be removed is already gone.
        if (key !== null && !(code === 'unknown_pair' && wish.wish === 'drop')) {
          store.dispatch(noticeShown(key, { text }))
        }
      },
    }),
    startListening({
      actionCreator: framesApplied,
      effect: ({ payload }) => {
        for (const { id, home, away } of payload.deletedMatches) {
          if (lately.some(({ matchId }) => matchId === id)) {
            store.dispatch(noticeShown('noticePairGone', { match: matchName({ home, away }) }))
          }
        }
      },
    }),
  ]
  const leave = () => sync.leave()
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

class TicketSync {
  readonly #store: Pick<AppStore, 'getState' | 'dispatch'>
  readonly #say: Say
  /** Commands sent and not yet answered, by the id of their queue entry. */
  readonly #said = new Map<string, TicketWish>()

  constructor(store: Pick<AppStore, 'getState' | 'dispatch'>, say: Say) {
    this.#store = store
    this.#say = say
  }

  /** Sends the queued commands that are not sent yet. Waits until the connection has received the current ticket. */
  flush(): void {
    const { ticket, connection } = this.#store.getState()
    if (!ticket.fresh || connection.status !== 'open') {
      return
    }
    for (const entry of ticket.wishes) {
      if (!this.#said.has(entry.id)) {
        this.#sayOne(ticket, entry)
      }
    }
  }

  /** Called when the page is closed: a stake that waits for the ack of an earlier stake is sent at once. */
  leave(): void {
    for (const [id, { wish }] of this.#said) {
      if (wish === 'stake') {
        this.#said.delete(id)
        this.#store.dispatch(wishSettled(id))
      }
    }
    this.flush()
  }

  #sayOne(ticket: TicketState, entry: WishEntry): void {
    if (entry.wish.wish === 'stake') {
      if (ticket.wishes.findLast(({ wish }) => wish.wish === 'stake') !== entry) {
        this.#store.dispatch(wishSettled(entry.id))
        return
      }
      // Only one stake is sent at a time. A key held down sends fewer stakes this way, and always the last one.
      if ([...this.#said.values()].some(({ wish }) => wish === 'stake')) {
        return
      }
    }
    const command = commandFor(entry.wish, before(ticket, entry))
    if (!command) {
      this.#store.dispatch(wishSettled(entry.id))
      return
    }
    this.#said.set(entry.id, entry.wish)
    this.#say(command).then(
      () => this.#answered(entry.id, () => this.#store.dispatch(wishSettled(entry.id))),
      (error: unknown) => this.#failed(entry, error),
    )
  }

  #failed({ id, wish }: WishEntry, error: unknown): void {
    if (error instanceof HubError && error.code === 'lost') {
      this.#said.delete(id)
      return
    }
    const { code, message } = error instanceof HubError ? error : { code: '', message: '' }
    this.#answered(id, () => this.#store.dispatch(wishRefused(id, wish, code, message)))
  }

  #answered(id: string, tell: () => void): void {
    this.#said.delete(id)
    tell()
    this.flush()
  }
}

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
