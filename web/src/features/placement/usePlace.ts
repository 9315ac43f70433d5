import { useAppDispatch } from '../../app/hooks'
import type { AppDispatch, RootState } from '../../app/store'
import { selectAccountStatus } from '../../platform/account/accountSlice'
import { selectExclusion } from '../../platform/account/protectionSlice'
import { noticeShown } from '../../platform/notices/noticesSlice'
import { selectChoice } from '../../platform/ticket/ticketSelectors'
import { obstacleTo } from '../../platform/ticket/totalsSelectors'
import { pageOpened } from '../../platform/view/viewSlice'
import { barredShown } from './barred'
import { selectCanReach } from './canReach'
import { selectLargestStake, stakeLowered } from './largestStake'
import { confirmationAsked, selectPlacement } from './placementSlice'

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
  if (stage === 'confirming' || stage === 'waiting') {
    return
  }
  const obstacle = obstacleTo(selectChoice(state))
  const largest = selectLargestStake(state)
  if (stage === 'unknown') {
    dispatch(noticeShown('outcomeUnknown'))
  } else if (selectExclusion(state)) {
    dispatch(barredShown)
  } else if (obstacle !== null) {
    dispatch(noticeShown(obstacle))
  } else if (!selectCanReach(state)) {
    dispatch(noticeShown('waitingForOffer'))
  } else if (selectAccountStatus(state) === 'anonymous') {
    dispatch(pageOpened('login', true))
  } else if (largest !== null) {
    dispatch(stakeLowered(largest))
  } else {
    dispatch(confirmationAsked(Date.now()))
  }
}
