/**
 * Fetches the offer and the opened match over HTTP, repeatedly until it succeeds, and applies the hub messages that
 * arrived meanwhile.
 */
import type { ListenerEffectAPI } from '@reduxjs/toolkit'
import type { AppDispatch, AppStartListening, RootState } from '../../app/store'
import type { MatchId } from '../../domain/offer'
import { applyChanges } from '../../domain/offerChanges'
import { lookup } from '../../domain/table'
import { type Applied, applyMessages } from '../../protocol/applyFrame'
import { backoffMs } from '../../protocol/backoff'
import type { OfferMessage, ToldMatch, ToldOffer } from '../../protocol/frames'
import { carryDetail, loadOffer, matchMessages } from '../../protocol/loadOffer'
import { openMatchMissing } from '../view/viewSlice'
import { fetchesStopped, fetchSent, fetchStarted, matchFetched, selectFetch } from './fetchesSlice'
import { fetchFailed, offerAbsent, offerLoaded } from './offerSlice'

/** The HTTP calls of the offer. `run` is the run of the server that the connection is on. */
export interface OfferCalls {
  readonly fetchOffer: (language: string, signal: AbortSignal, run: string) => Promise<ToldOffer | null>
  readonly fetchMatch: (id: MatchId, language: string, signal: AbortSignal, run: string) => Promise<ToldMatch | null>
  /** Between 0 and 1. */
  readonly random: () => number
}

/** The part of the connection that a fetch uses. */
export interface Live {
  /** Watches what the page shows. Resolves when the hub has acknowledged it. */
  readonly watch: () => Promise<void>
  /** Applies the messages that wait for the next paint. */
  readonly flush: () => void
  readonly show: (applied: Applied) => void
  readonly resync: (applied: Applied) => void
}

type Watching = Pick<RootState, 'view' | 'alerts'>

type Api = ListenerEffectAPI<RootState, AppDispatch>

/** The mean wait before an empty offer is fetched again, even if the hub sends nothing. */
const EMPTY_AGAIN_MS = 15_000

export function startFetching(startListening: AppStartListening, calls: OfferCalls, live: Live): () => void {
  const stops = [
    startListening({
      predicate: (action) =>
        fetchStarted.match(action) ? action.payload === null : fetchesStopped.match(action) && action.payload === 'all',
      effect: async (action, api) => {
        api.cancelActiveListeners()
        if (fetchStarted.match(action)) {
          await fetchOffer(api, calls, live)
        }
      },
    }),
    startListening({
      predicate: (action) => (fetchStarted.match(action) ? action.payload !== null : fetchesStopped.match(action)),
      effect: async (action, api) => {
        api.cancelActiveListeners()
        if (fetchStarted.match(action) && action.payload !== null) {
          await fetchMatch(api, calls, live, action.payload)
        }
      },
    }),
  ]
  return () => {
    for (const stop of stops) {
      stop({ cancelActive: true })
    }
  }
}

async function fetchOffer(api: Api, calls: OfferCalls, live: Live): Promise<void> {
  const told = await persist(api, calls, null, async (language, run) => {
    await api.pause(live.watch())
    api.dispatch(fetchSent(null))
    return calls.fetchOffer(language(), api.signal, run())
  })
  live.flush()
  // The flushed messages may have started another fetch.
  api.throwIfCancelled()
  if (told) {
    loaded(api, live, told, keptOf(api, null))
    return
  }
  api.dispatch(offerAbsent())
  // The hub may not announce that there is an offer now.
  await api.delay(EMPTY_AGAIN_MS * (0.5 + calls.random()))
  api.dispatch(fetchStarted(null))
}

function loaded({ dispatch, getState }: Api, live: Live, told: ToldOffer, kept: readonly OfferMessage[]): void {
  const { offer: before, connection, view } = getState()
  const { openMatchId } = view
  const watched = watchedOf(getState())
  const carried = [...watched].reduce((offer, id) => carryDetail(before, offer, id), loadOffer(told))
  const applied = applyMessages(carried, kept, watched)
  const offer = applyChanges(carried, applied.changes)
  const dateMs = Math.max(told.dateMs ?? 0, applied.dateMs ?? 0) || null
  dispatch(offerLoaded({ offer, feed: connection.feed, dateMs }))
  // Another node answered: its body is no base for the changes of this connection.
  const isForeign = told.sports.some(({ matches }) => matches.some(({ rowRevision }) => rowRevision === 0))
  const details = [...watched].filter((id) => id !== openMatchId && lookup(offer.matches, id))
  live.resync(isForeign ? { ...applied, resyncAll: true } : { ...applied, resync: [...applied.resync, ...details] })
  if (openMatchId !== null) {
    dispatch(lookup(offer.matches, openMatchId) ? fetchStarted(openMatchId) : openMatchMissing(openMatchId))
  }
}

/** Fetches all markets of the opened match. */
async function fetchMatch(api: Api, calls: OfferCalls, live: Live, id: MatchId): Promise<void> {
  const told = await persist(api, calls, id, async (language, run) => {
    const { watch, isWatched } = api.getState().fetches
    if (!isWatched || watch?.matches[0] !== id) {
      await api.pause(live.watch())
    }
    api.dispatch(fetchSent(id))
    return calls.fetchMatch(id, language(), api.signal, run())
  })
  live.flush()
  // The flushed messages may have closed the match.
  api.throwIfCancelled()
  const kept = keptOf(api, id)
  api.dispatch(matchFetched(id))
  if (!told) {
    api.dispatch(openMatchMissing(id))
    return
  }
  const state = api.getState()
  const { offer } = state
  const applied = applyMessages(offer, [...matchMessages(offer, told), ...kept], watchedOf(state))
  const resync = told.detailRevision === 0 ? [...applied.resync, id] : applied.resync
  live.show({ ...applied, resync, movements: [], goals: [] })
}

/** The result of the first attempt that succeeds. */
async function persist<T>(
  api: Api,
  { random }: OfferCalls,
  matchId: MatchId | null,
  attempt: (language: () => string, run: () => string) => Promise<T>,
): Promise<T> {
  const language = () => api.getState().preferences.language
  const run = () => api.getState().connection.run
  for (;;) {
    try {
      return await api.pause(attempt(language, run))
    } catch {
      api.throwIfCancelled()
    }
    const failures = selectFetch(api.getState(), matchId)?.failures ?? 0
    api.dispatch(fetchFailed(matchId))
    await api.delay(backoffMs(failures, random))
  }
}

const keptOf = (api: Api, matchId: MatchId | null) => selectFetch(api.getState(), matchId)?.kept ?? []

/**
 * The ids of the matches of which all markets are watched: the opened one first, then those of which rows show lines and
 * those with an alert for a price.
 */
export function watchedOf({ view: { openMatchId, lines, lineChooser }, alerts }: Watching): ReadonlySet<MatchId> {
  const others = [...lines, ...(alerts?.prices ?? [])].map(({ matchId }) => matchId)
  return new Set([openMatchId, lineChooser?.matchId, ...others].filter((id) => typeof id === 'number'))
}
