/**
 * Loads the live offer and keeps it current (docs/protocol.md, *From nothing to live*): connect, watch, wait for the
 * ack, fetch the whole offer, apply the messages that arrived meanwhile, then apply each new message. After a
 * reconnect, and when the feed is active again, it repeats this from the watch on.
 */
import type { AppStartListening, AppStore } from '../../app/store'
import type { MatchId } from '../../domain/offer'
import { type Applied, applyMessages, forgetDetail } from '../../protocol/applyFrame'
import type { BettorCommand, Watch } from '../../protocol/commands'
import type { FeedState, OfferMessage } from '../../protocol/frames'
import type { Hub, HubEvents, ToldMessage } from '../../protocol/hubClient'
import { connectionLost, feedChanged, helloReceived } from '../connection/connectionSlice'
import { Gatherer, type Painting } from '../connection/gatherer'
import { accountReceived, favouritesReceived, ticketReceived } from '../connection/hubMessages'
import { selectIsLowData } from '../preferences/preferencesSelectors'
import { fetchesStopped, fetchStarted, messagesKept, resyncSent, watchAcknowledged, watchSent } from './fetchesSlice'
import { type OfferCalls, startFetching, watchedOf } from './offerListeners'
import { type FramesApplied, framesApplied } from './offerSlice'
import { Resyncs } from './resyncs'

/** The environment: the browser and the HTTP calls, or a test. */
export interface LiveWorld extends OfferCalls {
  readonly connect: (url: string, events: HubEvents) => Hub
  readonly hubUrl: (language: string) => string
  readonly painting: Painting
  readonly now: () => number
}

export interface StartedOffer {
  readonly stop: () => void
  /** Sends a command to the hub. Resolves after its effect was received; rejects with a `HubError`. */
  readonly say: (command: BettorCommand) => Promise<void>
  /** Reconnects after a change of language or user. The old offer stays visible until the new one is loaded. */
  readonly reconnect: () => void
  /** From now on `listener` reads the messages that are not decoded (`BetsMessage`), first those that were kept. */
  readonly listenBets: (listener: (raw: readonly unknown[]) => void) => void
}

/** The fields of an update that must not show movements, goals or notices. */
const QUIET: Omit<FramesApplied, 'changes'> = { movements: [], goals: [], deletedMatches: [], dateMs: null }

/** Long enough for the page of a match that was left to be removed: without its detail it would show a skeleton first. */
const FORGOTTEN_AFTER_MS = 1000

export function startLiveOffer(store: AppStore, startListening: AppStartListening, world: LiveWorld): StartedOffer {
  const { dispatch, getState } = store
  /** The messages about bets until their reader is loaded. */
  let keptBets: (readonly unknown[])[] = []
  let readBets = (raw: readonly unknown[]) => {
    keptBets.push(raw)
  }
  const url = () => world.hubUrl(getState().preferences.language)
  const isShown = () => ['ready', 'recovering'].includes(getState().offer.status)
  const watched = () => watchedOf(getState())
  const isLowData = () => selectIsLowData(getState())
  const load = () => dispatch(fetchStarted(null))

  const gatherer = new Gatherer<OfferMessage>(world.painting, apply, isLowData)
  const hub = world.connect(url(), {
    onHello: ({ session, version, feed, run, serverTimeMs }) => {
      keptBets = []
      forgetWay()
      dispatch(helloReceived({ session, version, feed, run, serverOffsetMs: serverTimeMs - world.now() }))
      if (feed === 'inactive') {
        watchAgain()
      } else {
        load()
      }
    },
    onLost: () => {
      forgetWay()
      dispatch(connectionLost())
    },
    onMessages: read,
  })
  const resyncs = new Resyncs(
    (matchId) => {
      dispatch(resyncSent(matchId))
      return hub.resync(matchId)
    },
    () => performance.now(),
  )

  /** Discards all fetches, messages and requests that belong to the previous connection. */
  function forgetWay() {
    dispatch(fetchesStopped('all'))
    gatherer.clear()
    resyncs.clear()
  }

  function read(messages: readonly ToldMessage[]) {
    const ofOffer: OfferMessage[] = []
    for (const message of messages) {
      switch (message.kind) {
        case 'feed':
          changeFeed(message.feed)
          break
        case 'notice':
          if (message.what === 'reload') {
            load()
          }
          break
        // Personal messages are applied at once, not gathered, so that they precede the ack in the same frame.
        case 'ticket':
          dispatch(ticketReceived(message.ticket))
          break
        case 'favourites':
          dispatch(favouritesReceived(message.matchIds))
          break
        case 'account': {
          const { isMember } = getState().fetches
          dispatch(accountReceived(message.user))
          if (getState().fetches.isMember !== isMember) {
            watchAgain()
          }
          break
        }
        case 'bets':
          readBets(message.raw)
          break
        default:
          ofOffer.push(message)
      }
    }
    gatherer.add(ofOffer)
  }

  function changeFeed(feed: FeedState) {
    if (feed === 'inactive') {
      forgetWay()
    }
    dispatch(feedChanged(feed))
    if (feed !== 'inactive' && !isShown()) {
      load()
    }
  }

  function apply(messages: readonly OfferMessage[], wasHidden: boolean) {
    const { fetches } = getState()
    if (fetches.offer || fetches.match) {
      dispatch(messagesKept(messages))
    }
    if (!isShown()) {
      // The empty offer has a match now.
      if (getState().offer.status === 'empty' && messages.some(({ kind }) => kind === 'match')) {
        load()
      }
      return
    }
    const applied = applyMessages(getState().offer, messages, watched())
    show(wasHidden ? { ...applied, movements: [], goals: [] } : applied, wasHidden ? applied.goals : [])
  }

  function show(applied: Applied, unseenGoals: FramesApplied['unseenGoals'] = []) {
    const { changes, movements, goals, histories, deletedMatches, dateMs } = applied
    const noNews = goals.length + unseenGoals.length + histories.length === 0
    const nothing = dateMs === null && noNews && Object.values(changes).every((table) => table.length === 0)
    if (!nothing) {
      const isCalm = isLowData()
      dispatch(
        framesApplied({
          ...{ changes, movements, goals, unseenGoals, histories, deletedMatches, dateMs },
          ...(isCalm && { isCalm }),
        }),
      )
    }
    resyncs.wish(applied)
  }

  /** Watches the rows of all sports, which the counts in the rail need, and the details that are shown. */
  async function watch() {
    const asked: Watch = {
      sports: null,
      favourites: false,
      matches: [...watched()],
      bets: getState().fetches.isMember,
    }
    dispatch(watchSent(asked))
    await hub.watch(asked)
    // Only the acknowledgement of the last one counts.
    if (getState().fetches.watch === asked) {
      dispatch(watchAcknowledged())
    }
  }

  function watchAgain() {
    // If the connection is lost, the next one sends its own watch.
    watch().catch(() => undefined)
  }

  /** Drops the detail of a match that is not watched any more. */
  function forget(matchId: MatchId) {
    if (!watched().has(matchId)) {
      dispatch(framesApplied({ ...QUIET, changes: forgetDetail(getState().offer, matchId) }))
    }
  }

  /** The details of matches that are not opened are sent by the hub. */
  function watchDetails(before: ReadonlySet<MatchId>) {
    const added = [...watched()].filter((id) => !before.has(id))
    for (const id of before) {
      forget(id)
    }
    if (isShown()) {
      watch().then(
        () => resyncs.wish({ resync: added, resyncAll: false }),
        () => undefined,
      )
    }
  }

  function reconnect() {
    forgetWay()
    hub.reconnect(url())
  }

  const stops = [
    startFetching(startListening, world, {
      watch,
      flush: () => gatherer.flush(),
      show,
      resync: (applied) => resyncs.wish(applied),
    }),
    startListening({
      predicate: (_, now, before) => now.preferences.language !== before.preferences.language,
      effect: reconnect,
    }),
    startListening({
      predicate: (_, now, before) => now.view.openMatchId !== before.view.openMatchId,
      effect: (_, api) => {
        const id = api.getState().view.openMatchId
        const before = api.getOriginalState().view.openMatchId
        if (getState().fetches.match) {
          dispatch(fetchesStopped('match'))
        }
        if (before !== null) {
          world.painting.after(FORGOTTEN_AFTER_MS, () => forget(before))
        }
        if (isShown()) {
          if (id === null) {
            watchAgain()
          } else {
            dispatch(fetchStarted(id))
          }
        }
      },
    }),
    startListening({
      predicate: (_, now, before) =>
        (now.view.lines !== before.view.lines ||
          now.view.lineChooser !== before.view.lineChooser ||
          now.alerts?.prices !== before.alerts?.prices) &&
        now.view.openMatchId === before.view.openMatchId,
      effect: (_, api) => {
        const before = watchedOf(api.getOriginalState())
        if ([...before].join() !== [...watched()].join()) {
          watchDetails(before)
        }
      },
    }),
    world.painting.onShown(() => hub.probe()),
  ]
  return {
    say: (command) => hub.command(command),
    reconnect,
    listenBets: (listener) => {
      readBets = listener
      keptBets.forEach(listener)
      keptBets = []
    },
    stop: () => {
      forgetWay()
      for (const stop of stops) {
        stop()
      }
      gatherer.stop()
      hub.close()
    },
  }
}
