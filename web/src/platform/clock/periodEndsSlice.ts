/** The second of the match clock at which the running period ends, of watched matches in which the clock counts down. */
import type { UnknownAction } from '@reduxjs/toolkit'
import type { RootState } from '../../app/store'
import type { MatchId } from '../../domain/offer'
import { periodEndOf } from '../../protocol/periodEnd'
import { connectionLost } from '../connection/connectionSlice'
import { framesApplied } from '../offer/offerSlice'

export type PeriodEnds = Readonly<Record<MatchId, number>>

const NONE: PeriodEnds = {}

export function periodEndsReducer(state: PeriodEnds | undefined = NONE, action: UnknownAction): PeriodEnds {
  if (connectionLost.match(action)) {
    return NONE
  }
  if (!framesApplied.match(action)) {
    return state
  }
  const { histories = [], deletedMatches } = action.payload
  const sent = histories.map(([id, history]) => [id, periodEndOf(history)] as const)
  const gone = deletedMatches.map(({ id }) => [id, undefined] as const)
  const changed = [...sent, ...gone].filter(([id, end]) => state[id] !== end)
  if (changed.length === 0) {
    return state
  }
  const ends: Record<MatchId, number> = { ...state }
  for (const [id, end] of changed) {
    if (end === undefined) {
      delete ends[id]
    } else {
      ends[id] = end
    }
  }
  return ends
}

/** Undefined if the sport's clock counts up, and between two periods. */
export const selectPeriodEnd = (state: RootState, matchId: MatchId): number | undefined => state.periodEnds[matchId]
