/**
 * Loads the live offer and keeps it current (docs/protocol.md, *From nothing to live*): connect, watch, wait for the
 * ack, fetch the whole offer, apply the messages that arrived meanwhile, then apply each new message. After a
 * reconnect, and when the feed is active again, it repeats this from the watch on.
 */
import type { AppDispatch, RootState } from '../../app/store'
import type { MatchId } from '../../domain/offer'
import { applyChanges } from '../../domain/offerChanges'
import { lookup } from '../../domain/table'
import { type Applied, applyMessages, forgetDetail } from '../../protocol/applyFrame'
import type { BettorCommand } from '../../protocol/commands'
import type { FeedState, HelloMessage, OfferMessage, ToldMatch, ToldOffer } from '../../protocol/frames'
import type { Hub, HubEvents, ToldMessage } from '../../protocol/hubClient'
import { carryDetail, loadOffer, matchMessages } from '../../protocol/loadOffer'
import { connectionLost, feedChanged, helloReceived } from '../connection/connectionSlice'
import { Gatherer, type Painting } from '../connection/gatherer'
import { accountReceived, favouritesReceived, ticketReceived } from '../connection/hubMessages'
import { openMatchMissing } from '../view/viewSlice'
import { Fetching, type Patience } from './fetching'
import { type FramesApplied, framesApplied, offerAbsent, offerFailed, offerLoaded } from './offerSlice'
import { Resyncs } from './resyncs'

/** The environment: the browser and the HTTP calls, or a test. */
export interface LiveWorld extends Patience {
  readonly connect: (url: string, events: HubEvents) => Hub
  readonly hubUrl: (language: string) => string
  readonly fetchOffer: (language: string, signal: AbortSignal, run: string) => Promise<ToldOffer | null>
  readonly fetchMatch: (id: MatchId, language: string, signal: AbortSignal, run: string) => Promise<ToldMatch | null>
  readonly painting: Painting
  readonly now: () => number
}

/** The mean wait before an empty offer is fetched again, even if the hub sends nothing. */
const EMPTY_AGAIN_MS = 15_000

interface Store {
  readonly dispatch: AppDispatch
  readonly getState: () => RootState
}

/** The fields of an update that must not show movements, goals or notices. */
const QUIET: Omit<FramesApplied, 'changes'> = { movements: [], goals: [], deletedMatches: [], dateMs: null }

export class LiveOffer {
  readonly #store: Store
  readonly #world: LiveWorld
  readonly #hub: Hub
  readonly #gatherer: Gatherer<OfferMessage>
  readonly #resyncs: Resyncs
  readonly #stopListening: () => void
  /** The running fetch of the whole offer. */
  #offer: Fetching | null = null
  /** The running fetch of the opened match. */
  #detail: Fetching | null = null
  /** The match whose detail this connection watches, as acknowledged by the hub. */
  #watching: MatchId | null = null
  /** Reads the messages about bets. Until it is loaded, they are kept. */
  #onBets: (raw: readonly unknown[]) => void = (raw) => this.#keptBets.push(raw)
  #keptBets: (readonly unknown[])[] = []
  /** Whether the session of the hub has a signed-in user, whose bets are watched. */
  #isMember = false
  /** The run of the server that the connection is on. */
  #run = ''
  /** The number of `watch` commands sent. Only the acknowledgement of the last one sets {@link #watching}. */
  #watches = 0
  /** Ends the wait before an empty offer is fetched again. */
  #emptyWait: AbortController | null = null

  constructor(store: Store, world: LiveWorld) {
    this.#store = store
    this.#world = world
    this.#gatherer = new Gatherer(world.painting, (messages, wasHidden) => this.#apply(messages, wasHidden))
    this.#hub = world.connect(world.hubUrl(this.#language), {
      onHello: (hello) => this.#greeted(hello),
      onLost: () => this.#lost(),
      onMessages: (messages) => this.#told(messages),
    })
    this.#resyncs = new Resyncs(
      (matchId) => this.#hub.resync(matchId),
      () => performance.now(),
    )
    this.#stopListening = world.painting.onShown(() => this.#hub.probe())
  }

  /** Reconnects after a change of language or user. The old offer stays visible until the new one is loaded. */
  reconnect(): void {
    this.#forgetWay()
    this.#hub.reconnect(this.#world.hubUrl(this.#language))
  }

  /** Another match was opened, or the opened one was closed. */
  openMatchChanged(before: MatchId | null): void {
    this.#detail?.stop()
    this.#detail = null
    if (before !== null) {
      const changes = forgetDetail(this.#store.getState().offer, before)
      this.#store.dispatch(framesApplied({ ...QUIET, changes }))
    }
    if (this.#isShown) {
      void this.#openDetail()
    }
  }

  /** Sends a command to the hub. Resolves after its effect was received; rejects with a `HubError`. */
  command(command: BettorCommand): Promise<void> {
    return this.#hub.command(command)
  }

  /** From now on `listener` reads the messages about bets, first those that were kept. */
  listenBets(listener: (raw: readonly unknown[]) => void): void {
    this.#onBets = listener
    this.#keptBets.forEach(listener)
    this.#keptBets = []
  }

  stop(): void {
    this.#forgetWay()
    this.#gatherer.stop()
    this.#stopListening()
    this.#hub.close()
  }

  get #language(): string {
    return this.#store.getState().preferences.language
  }

  get #isShown(): boolean {
    const { status } = this.#store.getState().offer
    return status === 'ready' || status === 'recovering'
  }

  get #watched(): ReadonlySet<MatchId> {
    const { openMatchId } = this.#store.getState().view
    return new Set(openMatchId === null ? [] : [openMatchId])
  }

  #greeted(hello: HelloMessage): void {
    this.#keptBets = []
    this.#forgetWay()
    this.#run = hello.run
    const { session, version, feed, serverTimeMs } = hello
    const serverOffsetMs = serverTimeMs - this.#world.now()
    this.#store.dispatch(helloReceived({ session, version, feed, serverOffsetMs }))
    if (feed === 'inactive') {
      this.#watch().catch(ignoreLoss)
    } else {
      void this.#load()
    }
  }

  #lost(): void {
    this.#forgetWay()
    this.#store.dispatch(connectionLost())
  }

  /** Discards all fetches, messages and requests that belong to the previous connection. */
  #forgetWay(): void {
    this.#watching = null
    this.#offer?.stop()
    this.#offer = null
    this.#detail?.stop()
    this.#detail = null
    this.#emptyWait?.abort()
    this.#gatherer.clear()
    this.#resyncs.clear()
  }

  #told(messages: readonly ToldMessage[]): void {
    const ofOffer: OfferMessage[] = []
    for (const message of messages) {
      switch (message.kind) {
        case 'feed':
          this.#feedChanged(message.feed)
          break
        case 'notice':
          if (message.what === 'reload') {
            void this.#load()
          }
          break
        // Personal messages are applied at once, not gathered, so that they precede the ack in the same frame.
        case 'ticket':
          this.#store.dispatch(ticketReceived(message.ticket))
          break
        case 'favourites':
          this.#store.dispatch(favouritesReceived(message.matchIds))
          break
        case 'account':
          this.#store.dispatch(accountReceived(message.user))
          this.#watchBets(message.user !== null)
          break
        case 'bets':
          this.#onBets(message.raw)
          break
        default:
          ofOffer.push(message)
      }
    }
    this.#gatherer.add(ofOffer)
  }

  #watchBets(isMember: boolean): void {
    if (this.#isMember !== isMember) {
      this.#isMember = isMember
      this.#watch().catch(ignoreLoss)
    }
  }

  #feedChanged(feed: FeedState): void {
    if (feed === 'inactive') {
      this.#forgetWay()
    }
    this.#store.dispatch(feedChanged(feed))
    if (feed !== 'inactive' && !this.#isShown) {
      void this.#load()
    }
  }

  #apply(messages: readonly OfferMessage[], wasHidden: boolean): void {
    this.#offer?.keep(messages)
    this.#detail?.keep(messages)
    if (!this.#isShown) {
      const { status } = this.#store.getState().offer
      // The empty offer has a match now.
      if (status === 'empty' && messages.some(({ kind }) => kind === 'match')) {
        void this.#load()
      }
      return
    }
    const applied = applyMessages(this.#store.getState().offer, messages, this.#watched)
    this.#show(wasHidden ? { ...applied, movements: [], goals: [] } : applied, wasHidden ? applied.goals : [])
  }

  #show(applied: Applied, unseenGoals: FramesApplied['unseenGoals'] = []): void {
    const { changes, movements, goals, deletedMatches, dateMs } = applied
    const noGoal = goals.length + unseenGoals.length === 0
    const nothing = dateMs === null && noGoal && Object.values(changes).every((table) => table.length === 0)
    if (!nothing) {
      this.#store.dispatch(framesApplied({ changes, movements, goals, unseenGoals, deletedMatches, dateMs }))
    }
    this.#resyncs.wish(applied)
  }

  /** Fetches the whole offer. Repeats until it succeeds or is stopped. */
  async #load(): Promise<void> {
    this.#offer?.stop()
    this.#emptyWait?.abort()
    const fetching = new Fetching(this.#world)
    this.#offer = fetching
    const told = await fetching.persist(
      async (signal) => {
        await this.#watch()
        fetching.forget()
        return this.#world.fetchOffer(this.#language, signal, this.#run)
      },
      () => this.#store.dispatch(offerFailed()),
    )
    if (told === undefined) {
      return
    }
    this.#gatherer.flush()
    // The gathered messages may have started another load.
    if (this.#offer !== fetching) {
      return
    }
    this.#offer = null
    if (told) {
      this.#loaded(told, fetching.kept)
    } else {
      this.#store.dispatch(offerAbsent())
      void this.#askAgain()
    }
  }

  #loaded(told: ToldOffer, kept: readonly OfferMessage[]): void {
    const { offer: before, connection, view } = this.#store.getState()
    const carried = view.openMatchId === null ? loadOffer(told) : carryDetail(before, loadOffer(told), view.openMatchId)
    const applied = applyMessages(carried, kept, this.#watched)
    const offer = applyChanges(carried, applied.changes)
    const dateMs = Math.max(told.dateMs ?? 0, applied.dateMs ?? 0) || null
    this.#store.dispatch(offerLoaded({ offer, feed: connection.feed, dateMs }))
    // Another node answered: its body is no base for the changes of this connection.
    const isForeign = told.sports.some(({ matches }) => matches.some(({ rowRevision }) => rowRevision === 0))
    this.#resyncs.wish(isForeign ? { ...applied, resyncAll: true } : applied)
    if (view.openMatchId === null) {
      return
    }
    if (lookup(offer.matches, view.openMatchId)) {
      void this.#openDetail()
    } else {
      this.#store.dispatch(openMatchMissing(view.openMatchId))
    }
  }

  /** Fetches an empty offer again after a while: the hub may not announce that there is one now. */
  async #askAgain(): Promise<void> {
    this.#emptyWait = new AbortController()
    const { signal } = this.#emptyWait
    try {
      await this.#world.wait(EMPTY_AGAIN_MS * (0.5 + this.#world.random()), signal)
    } catch {
      return
    }
    void this.#load()
  }

  /** Fetches all markets of the opened match. Without one, stops watching details. */
  async #openDetail(): Promise<void> {
    this.#detail?.stop()
    this.#detail = null
    const { openMatchId: id } = this.#store.getState().view
    if (id === null) {
      await this.#watch().catch(ignoreLoss)
      return
    }
    const fetching = new Fetching(this.#world, id)
    this.#detail = fetching
    const told = await fetching.persist(async (signal) => {
      if (this.#watching !== id) {
        await this.#watch()
      }
      fetching.forget()
      return this.#world.fetchMatch(id, this.#language, signal, this.#run)
    })
    if (told === undefined) {
      return
    }
    this.#gatherer.flush()
    // The gathered messages may have closed the match.
    if (this.#detail !== fetching) {
      return
    }
    this.#detail = null
    if (!told) {
      this.#store.dispatch(openMatchMissing(id))
      return
    }
    const { offer } = this.#store.getState()
    const applied = applyMessages(offer, [...matchMessages(offer, told), ...fetching.kept], this.#watched)
    const resync = told.detailRevision === 0 ? [...applied.resync, id] : applied.resync
    this.#show({ ...applied, resync, movements: [], goals: [] })
  }

  /** Watches the rows of all sports, which the counts in the rail need, and the detail of the opened match. */
  async #watch(): Promise<void> {
    const matches = [...this.#watched]
    this.#watching = null
    this.#watches += 1
    const number = this.#watches
    await this.#hub.watch({ sports: null, favourites: false, matches, bets: this.#isMember })
    if (number === this.#watches) {
      this.#watching = matches[0] ?? null
    }
  }
}

function ignoreLoss(): void {
  // The next connection sends its own watch.
}
