import { useAppDispatch } from '../../app/hooks'
import type { AppDispatch, RootState } from '../../app/store'
import { selectAccountStatus } from '../../platform/account/accountSlice'
import { selectExclusion } from '../../platform/account/protectionSlice'
import { noticeShown } from '../../platform/notices/noticesSlice'
import { selectIsSingles } from '../../platform/ticket/singlesSlice'
import { selectChoice } from '../../platform/ticket/ticketSelectors'
import { obstacleTo } from '../../platform/ticket/totalsSelectors'
import { pageOpened } from '../../platform/view/viewSlice'
import { barredShown } from './barred'
import { selectCanReach } from './canReach'
import { selectLargestStake, stakeLowered } from './largestStake'
import { confirmationAsked, selectPlacement } from './placementSlice'
import { obstacleToSingles } from './singlesObstacle'
import { selectSinglesOrder, singlesAsked } from './singlesOrderSlice'

/**
 * Begins to place the bet: shows what is wrong with it, opens the login page, lowers a stake that cannot be paid, or
 * asks for confirmation.
 */
export function usePlace(): () => void {
  const dispatch = useAppDispatch()
  return () => dispatch(beginPlacing)
}

/** The action of the place button. */
export function beginPlacing(dispatch: AppDispatch, getState: () => RootState): void {
  const state = getState()
  const { stage } = selectPlacement(state)
  const singles = selectSinglesOrder(state)
  if (stage === 'confirming' || stage === 'waiting' || singles.stage === 'confirming') {
    return
  }
  const isSingles = selectIsSingles(state)
  const ofSingles = isSingles ? obstacleToSingles(state) : null
  const obstacle = obstacleTo(selectChoice(state))
  const largest = selectLargestStake(state)
  if (stage === 'unknown' || singles.stage === 'sending') {
    dispatch(noticeShown('outcomeUnknown'))
  } else if (selectExclusion(state)) {
    dispatch(barredShown)
  } else if (ofSingles !== null) {
    dispatch(noticeShown(ofSingles.key, ofSingles.values))
  } else if (!isSingles && obstacle !== null) {
    dispatch(noticeShown(obstacle))
  } else if (!selectCanReach(state)) {
    dispatch(noticeShown('waitingForOffer'))
  } else if (selectAccountStatus(state) === 'anonymous') {
    dispatch(pageOpened('login', true))
  } else if (isSingles) {
    dispatch(singlesAsked(Date.now()))
  } else if (largest !== null) {
    dispatch(stakeLowered(largest))
  } else {
    dispatch(confirmationAsked(Date.now()))
  }
}
