/**
 * The running fetches of the offer and of the opened match, and what the connection watches. A fetch keeps the hub
 * messages that must be applied to its answer. The reducer makes no drafts, as Immer would freeze each message.
 */
import { createAction, type UnknownAction } from '@reduxjs/toolkit'
import type { MatchId } from '../../domain/offer'
import type { Watch } from '../../protocol/commands'
import type { OfferMessage } from '../../protocol/frames'
import { accountReceived } from '../connection/hubMessages'
import { fetchFailed, offerAbsent, offerLoaded } from './offerSlice'

interface Fetch {
  /** Null for the whole offer. */
  readonly matchId: MatchId | null
  /** Failed attempts. */
  readonly failures: number
  /** The messages received since the last request was sent. */
  readonly kept: readonly OfferMessage[]
}

export interface FetchesState {
  readonly offer: Fetch | null
  readonly match: Fetch | null
  /** The last watch that was sent to the hub. */
  readonly watch: Watch | null
  /** Whether the hub has acknowledged it. */
  readonly isWatched: boolean
  /** Whether the session of the hub has a signed-in user. Only then are bets watched. */
  readonly isMember: boolean
}

const initialState: FetchesState = { offer: null, match: null, watch: null, isWatched: false, isMember: false }

/** A fetch of one match, or of the whole offer if the payload is null. It replaces the one before. */
export const fetchStarted = createAction<MatchId | null>('offer/fetchStarted')
/** The hub watches, and the request is sent. */
export const fetchSent = createAction<MatchId | null>('offer/fetchSent')
export const matchFetched = createAction<MatchId>('offer/matchFetched')
/** Another match was opened, or none; or all fetches belong to a previous connection. */
export const fetchesStopped = createAction<'match' | 'all'>('offer/fetchesStopped')
export const messagesKept = createAction<readonly OfferMessage[]>('offer/messagesKept')
export const watchSent = createAction<Watch>('offer/watchSent')
export const watchAcknowledged = createAction('offer/watchAcknowledged')
/** The hub was asked for a match, or for everything if the payload is null. */
export const resyncSent = createAction<MatchId | null>('offer/resyncSent')

export function fetchesReducer(state: FetchesState = initialState, action: UnknownAction): FetchesState {
  if (fetchStarted.match(action)) {
    const matchId = action.payload
    return { ...state, [slotOf(matchId)]: { matchId, failures: 0, kept: [] } }
  }
  if (fetchSent.match(action)) {
    // The answer already contains what was received before.
    return withFetch(state, action.payload, () => ({ kept: [] }))
  }
  if (fetchFailed.match(action)) {
    return withFetch(state, action.payload, ({ failures }) => ({ failures: failures + 1 }))
  }
  if (messagesKept.match(action)) {
    const { offer, match } = state
    return { ...state, offer: offer && keep(offer, action.payload), match: match && keep(match, action.payload) }
  }
  if (offerLoaded.match(action) || offerAbsent.match(action)) {
    return { ...state, offer: null }
  }
  if (matchFetched.match(action)) {
    return { ...state, match: null }
  }
  if (fetchesStopped.match(action)) {
    return action.payload === 'match'
      ? { ...state, match: null }
      : { ...state, offer: null, match: null, isWatched: false }
  }
  if (watchSent.match(action)) {
    return { ...state, watch: action.payload, isWatched: false }
  }
  if (watchAcknowledged.match(action)) {
    return { ...state, isWatched: true }
  }
  return accountReceived.match(action) ? { ...state, isMember: action.payload !== null } : state
}

const slotOf = (matchId: MatchId | null) => (matchId === null ? 'offer' : 'match')

function withFetch(
  state: FetchesState,
  matchId: MatchId | null,
  change: (fetch: Fetch) => Partial<Fetch>,
): FetchesState {
  const slot = slotOf(matchId)
  const fetch = state[slot]
  return fetch ? { ...state, [slot]: { ...fetch, ...change(fetch) } } : state
}

function keep(fetch: Fetch, messages: readonly OfferMessage[]): Fetch {
  const kept = messages.filter((message) => concerns(message, fetch.matchId))
  return kept.length > 0 ? { ...fetch, kept: [...fetch.kept, ...kept] } : fetch
}

function concerns(message: OfferMessage, matchId: MatchId | null): boolean {
  switch (message.kind) {
    // A checksum describes the moment it was sent. Compared with a newer answer it would report a false difference.
    case 'sportCheck':
    case 'matchCheck':
      return false
    case 'match':
      return matchId === null || message.match.id === matchId
    default:
      return matchId === null || ('matchId' in message && message.matchId === matchId)
  }
}

interface State {
  readonly fetches: FetchesState
}

export const selectFetch = ({ fetches }: State, matchId: MatchId | null) => fetches[slotOf(matchId)]
