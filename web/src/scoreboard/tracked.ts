/**
 * The state of one match on the scoreboard: row, ball and history, updated by the hub's messages. Markets are ignored.
 * Pure functions: must not send messages or start timers.
 */

import { clockSeconds } from '../domain/clock'
import type { Ball, MatchId } from '../domain/offer'
import type { OfferMessage, ToldMatch } from '../protocol/frames'
import { type History, NO_HISTORY, readHistory } from './history'
import { type Seen, withSample } from './sample'

export type TrackedMatch = Omit<ToldMatch, 'markets' | 'ball'>

export interface Tracked {
  readonly match: TrackedMatch
  readonly ball: Ball | null
  readonly history: History
  /** The seconds of the match clock when the history was received. */
  readonly historyAt?: number | null
  /** What this page has seen of the row, the newest last. */
  readonly seen: Seen
  /** Null until the detail has been received. */
  readonly detailRevision: number | null
}

export type Outcome =
  | { readonly kind: 'held'; readonly tracked: Tracked | null }
  /** A message was lost: the match needs a resync. */
  | { readonly kind: 'lost' }
  | { readonly kind: 'gone' }

/** Applies a message to the state. `nowMs` is the server's time. */
export function follow(held: Tracked | null, message: OfferMessage, matchId: MatchId, nowMs: number): Outcome {
  switch (message.kind) {
    case 'match':
      return message.match.id === matchId ? { kind: 'held', tracked: withRow(held, message.match, nowMs) } : kept(held)
    case 'matchDeleted':
      return message.matchId === matchId ? { kind: 'gone' } : kept(held)
    case 'rowChange':
    case 'detailChange':
    case 'detail':
    case 'matchCheck':
      return held && message.matchId === matchId ? ofHeld(held, message, nowMs) : kept(held)
    default:
      return kept(held)
  }
}

type OfHeld = Extract<OfferMessage, { kind: 'rowChange' | 'detailChange' | 'detail' | 'matchCheck' }>

function ofHeld(held: Tracked, message: OfHeld, nowMs: number): Outcome {
  const { rowRevision } = held.match
  switch (message.kind) {
    case 'rowChange': {
      if (message.follows !== rowRevision) {
        return message.follows < rowRevision ? kept(held) : { kind: 'lost' }
      }
      const match = { ...held.match, ...message.change.fields, rowRevision: rowRevision + 1 }
      return kept({ ...held, match, seen: withSample(held.seen, match, nowMs) })
    }
    case 'detailChange': {
      if (held.detailRevision === null || message.follows < held.detailRevision) {
        return kept(held)
      }
      if (message.follows > held.detailRevision) {
        return { kind: 'lost' }
      }
      const { ball, history } = message.change
      return kept({
        ...held,
        detailRevision: held.detailRevision + 1,
        ball: ball === undefined ? held.ball : ball,
        ...(history !== undefined && { history: readHistory(history), historyAt: secondsOf(held, nowMs) }),
      })
    }
    case 'detail':
      if (held.detailRevision !== null && message.revision < held.detailRevision) {
        return kept(held)
      }
      return kept({
        ...held,
        detailRevision: message.revision,
        ball: message.ball,
        history: readHistory(message.history),
        historyAt: secondsOf(held, nowMs),
      })
    case 'matchCheck': {
      const isRight =
        message.rowRevision === rowRevision &&
        (held.detailRevision === null || message.detailRevision === held.detailRevision)
      return isRight ? kept(held) : { kind: 'lost' }
    }
  }
}

function secondsOf({ match }: Tracked, nowMs: number): number | null {
  return match.clock && clockSeconds(match.clock, nowMs)
}

function withRow(held: Tracked | null, told: ToldMatch, nowMs: number): Tracked {
  if (held && told.rowRevision < held.match.rowRevision) {
    return held
  }
  const { markets: _, ball: __, ...match } = told
  return {
    match,
    ball: held?.ball ?? null,
    history: held?.history ?? NO_HISTORY,
    historyAt: held?.historyAt ?? null,
    seen: withSample(held?.seen ?? [], match, nowMs, held !== null),
    detailRevision: held?.detailRevision ?? null,
  }
}

function kept(tracked: Tracked | null): Outcome {
  return { kind: 'held', tracked }
}
