/**
 * The offer and where it stands. Its tables are persistent already (`domain/table.ts`), so this reducer makes the new
 * state itself instead of through drafts: a frame that moves twenty prices copies twenty shards and nothing else.
 */
import { createAction, type UnknownAction } from '@reduxjs/toolkit'
import {
  EMPTY_OFFER,
  type MatchId,
  type Movement,
  type OddId,
  type Offer,
  type Side,
  type SportId,
} from '../../domain/offer'
import { applyChanges, type OfferChanges } from '../../domain/offerChanges'
import type { FeedState } from '../../protocol/frames'
import { connectionLost, feedChanged, helloReceived } from '../connection/connectionSlice'

/**
 * `loading`: it is being fetched; `ready`: it is live; `recovering`: it is shown, but nothing can be bet on; `empty`:
 * the server has none; `inactive`: no feed arrives.
 */
export type OfferStatus = 'loading' | 'ready' | 'recovering' | 'empty' | 'inactive'

export interface OfferState extends Offer {
  readonly status: OfferStatus
}

const initialState: OfferState = { ...EMPTY_OFFER, status: 'loading' }

/** What one paint's worth of frames did. */
export interface FramesApplied {
  readonly changes: OfferChanges
  /** Prices that moved, where the move is to be shown. */
  readonly movements: readonly (readonly [OddId, Movement])[]
  readonly goals: readonly { readonly matchId: MatchId; readonly side: Side }[]
  readonly deletedMatches: readonly DeletedMatch[]
  /** The newest feed date among them. */
  readonly dateMs: number | null
}

export interface DeletedMatch {
  readonly id: MatchId
  readonly sportId: SportId
  readonly home: string | null
  readonly away: string | null
}

/** The whole offer has come, frames that arrived meanwhile applied. */
export const offerLoaded = createAction<{ offer: Offer; feed: FeedState | null; dateMs: number | null }>('offer/loaded')
/** The server has no offer (204). */
export const offerAbsent = createAction('offer/absent')
/** The offer could not be got; it will be asked for again. */
export const offerFailed = createAction('offer/failed')
export const framesApplied = createAction<FramesApplied>('offer/framesApplied')

export function offerReducer(state: OfferState | undefined = initialState, action: UnknownAction): OfferState {
  if (framesApplied.match(action)) {
    const offer = applyChanges(state, action.payload.changes)
    return offer === state ? state : { ...offer, status: state.status }
  }
  if (offerLoaded.match(action)) {
    const { offer, feed } = action.payload
    return { ...offer, status: feed === 'recovering' ? 'recovering' : 'ready' }
  }
  if (offerAbsent.match(action)) {
    return { ...EMPTY_OFFER, status: 'empty' }
  }
  if (connectionLost.match(action) || offerFailed.match(action)) {
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
  return state.status === status && state.matches.size === 0 ? state : { ...EMPTY_OFFER, status }
}

function withStatus(state: OfferState, status: OfferStatus): OfferState {
  return state.status === status ? state : { ...state, status }
}
