/**
 * Says to the hub what the bettor wishes, and hears what comes of it. A wish whose connection is lost is said again on
 * the next one, once the server has told the ticket as it stands: it may have come true already.
 */
import type { AppStartListening, AppStore } from '../../app/store'
import type { MatchId } from '../../domain/offer'
import { type TicketChoice, type TicketPair, type TicketWish, withWish } from '../../domain/ticket/ticket'
import type { BettorCommand } from '../../protocol/commands'
import { HubError } from '../../protocol/hubClient'
import { noticeShown } from '../notices/noticesSlice'
import { matchName } from '../offer/matchName'
import { framesApplied } from '../offer/offerSlice'
import { type TicketState, ticketTold, type WishEntry, wished, wishRefused, wishSettled } from './ticketSlice'

export type Say = (command: BettorCommand) => Promise<void>

export function startTicket(store: AppStore, startListening: AppStartListening, say: Say): () => void {
  const sync = new TicketSync(store, say)
  /** The pairs told last and the time before: a match that leaves is told by the ticket and by the offer, in any order. */
  let lately: readonly TicketPair[] = []
  sync.flush()
  const stops = [
    startListening({ actionCreator: wished, effect: () => sync.flush() }),
    startListening({
      actionCreator: ticketTold,
      effect: ({ payload }, api) => {
        lately = [...payload.pairs, ...(api.getOriginalState().ticket.told?.pairs ?? [])]
        sync.flush()
      },
    }),
    startListening({
      actionCreator: wishRefused,
      effect: ({ payload: { wish, code, text } }) => {
        const key = REFUSALS[code] ?? 'hubRefusedOther'
        // What was to be taken off is off.
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

/** What is said of a refusal; null: nothing. */
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
  /** Wishes said, and not answered. */
  readonly #said = new Map<string, TicketWish>()

  constructor(store: Pick<AppStore, 'getState' | 'dispatch'>, say: Say) {
    this.#store = store
    this.#say = say
  }

  /** Says what is not said yet. */
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

  /** The page is left: a stake that waits for the answer to an earlier one is sent without it. */
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
      // One stake at a time is on its way: whoever holds a key down says fewer of them, and the last one always.
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

/** The ticket as it will be when a wish is heard: earlier ones are heard before. */
function before({ told, wishes }: TicketState, entry: WishEntry): TicketChoice | null {
  const earlier = wishes.slice(0, wishes.indexOf(entry))
  return told && earlier.reduce<TicketChoice>((ticket, { wish }) => withWish(ticket, wish), told)
}

/** The verb for a wish; null where it is true already, and saying so would undo it. */
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
