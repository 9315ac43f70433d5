import { useCallback } from 'react'
import { useAppDispatch } from '../../app/hooks'
import type { AppDispatch, RootState } from '../../app/store'
import type { MatchId, OddId } from '../../domain/offer'
import type { TicketPair } from '../../domain/ticket/ticket'
import { noticeShown } from '../notices/noticesSlice'
import { selectIsBettable, selectMarket, selectMatch, selectOdd } from '../offer/offerSelectors'
import { oddPressed, selectIsOnePress } from './onePress'
import { pairOf } from './pairOf'
import { selectIsPicked } from './ticketSelectors'
import { wished } from './ticketSlice'

/** Adds an odd to the ticket, or removes it if it is there. The page shows it at once, before the server answers. */
export function usePick() {
  const dispatch = useAppDispatch()
  return useCallback((matchId: MatchId, oddId: OddId) => dispatch(pick(matchId, oddId)), [dispatch])
}

function pick(matchId: MatchId, oddId: OddId) {
  return (dispatch: AppDispatch, getState: () => RootState) => {
    const state = getState()
    if (selectIsPicked(state, oddId)) {
      dispatch(wished({ wish: 'drop', matchId }))
      return
    }
    const barred = state.protection?.barred
    const pair = barred ? null : pairNow(state, matchId, oddId)
    if (!barred && selectIsOnePress(state)) {
      dispatch(oddPressed({ oddId, pair }))
      return
    }
    dispatch(pair ? wished({ wish: 'pick', pair }) : noticeShown(barred ?? 'noticeOddLocked'))
  }
}

/** Builds a ticket pair from the current offer; null if it cannot be bet on now. */
function pairNow(state: RootState, matchId: MatchId, oddId: OddId): TicketPair | null {
  const match = selectMatch(state, matchId)
  const odd = selectOdd(state, oddId)
  const market = odd && selectMarket(state, odd.marketId)
  const canBet = market && !market.isSuspended && selectIsBettable(state, matchId)
  return match && canBet ? pairOf(match, market, odd) : null
}
