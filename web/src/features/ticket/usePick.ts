import { useCallback } from 'react'
import { useAppDispatch } from '../../app/hooks'
import type { AppDispatch, RootState } from '../../app/store'
import type { MatchId, OddId } from '../../domain/offer'
import type { TicketPair } from '../../domain/ticket/ticket'
import { noticeShown } from '../notices/noticesSlice'
import { oddLabel } from '../offer/oddLabel'
import { selectIsBettable, selectMarket, selectMatch, selectOdd } from '../offer/offerSelectors'
import { selectIsPicked } from './ticketSelectors'
import { wished } from './ticketSlice'

/** Lower prices are shown as none. */
const SHOWN_FROM = 1000

/** Picks an odd, or takes it off where it is picked: in this very frame, whatever the server says later. */
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
    const pair = pairOf(state, matchId, oddId)
    dispatch(pair ? wished({ wish: 'pick', pair }) : noticeShown('noticeOddLocked'))
  }
}

/** The pair of an odd as the offer tells it; null where it cannot be bet on now. */
function pairOf(state: RootState, matchId: MatchId, oddId: OddId): TicketPair | null {
  const match = selectMatch(state, matchId)
  const odd = selectOdd(state, oddId)
  const market = odd && selectMarket(state, odd.marketId)
  if (!match || !odd || !market || odd.value < SHOWN_FROM || !selectIsBettable(state, matchId)) {
    return null
  }
  const { home, away, sportId } = match
  return {
    matchId,
    marketId: market.id,
    oddId,
    sportId,
    home: home ?? '',
    away: away ?? '',
    marketName: market.name ?? '',
    oddName: oddLabel(odd),
    marketType: market.type,
    marketSubType: market.subtype,
    sbv: market.sbv,
    oddType: odd.type ?? '',
    oddValue: odd.value,
    pickedValue: odd.value,
    canBet: true,
    reason: null,
    isFix: false,
  }
}
