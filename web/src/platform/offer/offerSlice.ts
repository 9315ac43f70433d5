/**
 * The offer and where it stands. Its tables are persistent already (`domain/table.ts`), so this reducer makes the new
 * state itself instead of through drafts: a frame that moves twenty prices copies twenty shards and nothing else.
 */
import { createAction, type UnknownAction } from '@reduxjs/toolkit'
import { EMPTY_OFFER, type MatchId, type Movement, type OddId, type Offer } from '../../domain/offer'
import { applyChanges, type OfferChanges } from '../../domain/offerChanges'
import type { Applied, DeletedMatch, Goal } from '../../protocol/applyFrame'
import type { FeedState } from '../../protocol/frames'
import { connectionLost, feedChanged, helloReceived } from '../connection/connectionSlice'

/**
 * `loading`: it is being fetched; `ready`: it is live; `recovering`: it is shown, but nothing can be bet on; `empty`:
 * the server has none; `inactive`: no feed arrives.
 */
export type OfferStatus = 'loading' | 'ready' | 'recovering' | 'empty' | 'inactive'

export interface OfferState extends Offer {
  readonly status: OfferStatus
  /** The newest date of the feed among what is applied: how old the offer is. */
  readonly dateMs: number | null
}

const initialState: OfferState = { ...EMPTY_OFFER, status: 'loading', dateMs: null }

/** What one paint's worth of frames did. */
export interface FramesApplied {
  readonly changes: OfferChanges
  /** Prices that moved, where the move is to be shown. */
  readonly movements: readonly (readonly [OddId, Movement])[]
  /** Whether they are shown by arrows without a flash. */
  readonly isCalm?: true
  readonly goals: readonly Goal[]
  /** Goals that came while the page was out of sight: no news for it, but perhaps for a notification. */
  readonly unseenGoals?: readonly Goal[]
  /** The newest history of each watched match, as it was sent; empty if the page was out of sight. */
  readonly histories?: Applied['histories']
  readonly deletedMatches: readonly DeletedMatch[]
  /** The newest feed date among them. */
  readonly dateMs: number | null
}

/** The whole offer has come, frames that arrived meanwhile applied. */
export const offerLoaded = createAction<{ offer: Offer; feed: FeedState | null; dateMs: number | null }>('offer/loaded')
/** The server has no offer (204). */
export const offerAbsent = createAction('offer/absent')
/** A match, or the offer if the payload is null, could not be fetched; it will be fetched again. */
export const fetchFailed = createAction<MatchId | null>('offer/fetchFailed')
export const framesApplied = createAction<FramesApplied>('offer/framesApplied')

export function offerReducer(state: OfferState | undefined = initialState, action: UnknownAction): OfferState {
  if (framesApplied.match(action)) {
    const { changes, dateMs } = action.payload
    const offer = applyChanges(state, changes)
    const newest = dateMs === null ? state.dateMs : Math.max(state.dateMs ?? 0, dateMs)
    return offer === state && newest === state.dateMs ? state : { ...offer, status: state.status, dateMs: newest }
  }
  if (offerLoaded.match(action)) {
    const { offer, feed, dateMs } = action.payload
    return { ...offer, status: feed === 'recovering' ? 'recovering' : 'ready', dateMs }
  }
  if (offerAbsent.match(action)) {
    return cleared(state, 'empty')
  }
  if (connectionLost.match(action) || (fetchFailed.match(action) && action.payload === null)) {
    return cleared(state, 'loading')
  }
  if (helloReceived.match(action)) {
    return onFeed(state, action.payload.feed)
  }
  if (feedChanged.match(action)) {
    return onFeed(state, action.payload)
  }
  return state
}

function onFeed(state: OfferState, feed: FeedState): OfferState {
  if (feed === 'inactive') {
    return cleared(state, 'inactive')
  }
  switch (state.status) {
    case 'inactive':
      return { ...state, status: 'loading' }
    case 'ready':
    case 'recovering':
      return withStatus(state, feed === 'active' ? 'ready' : 'recovering')
    default:
      return state
  }
}

function cleared(state: OfferState, status: OfferStatus): OfferState {
  return state.status === status && state.matches.size === 0 ? state : { ...EMPTY_OFFER, status, dateMs: null }
}

function withStatus(state: OfferState, status: OfferStatus): OfferState {
  return state.status === status ? state : { ...state, status }
}
