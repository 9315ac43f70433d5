/** Asks for confirmation again after a login that placing had caused. */
import type { AppStartListening } from '../../app/store'
import { selectExclusion } from '../../platform/account/protectionSlice'
import { selectIsSingles } from '../../platform/ticket/singlesSlice'
import { selectChoice, selectPairCount } from '../../platform/ticket/ticketSelectors'
import { obstacleTo } from '../../platform/ticket/totalsSelectors'
import { placingResumed } from '../../platform/view/requests'
import { barredShown } from './barred'
import { selectLargestStake } from './largestStake'
import { confirmationAsked } from './placementSlice'
import { obstacleToSingles } from './singlesObstacle'
import { singlesAsked } from './singlesOrderSlice'

/** The login changes the session, so that the hub reconnects. For a moment the new session may not have its pairs. */
const TICKET_WITHIN_MS = 5000

export function startResume(startListening: AppStartListening): () => void {
  return startListening({
    actionCreator: placingResumed,
    effect: async (_, api) => {
      api.cancelActiveListeners()
      if (selectPairCount(api.getState()) === 0) {
        await api.condition((_action, state) => selectPairCount(state) > 0, TICKET_WITHIN_MS)
      }
      const state = api.getState()
      if (selectExclusion(state)) {
        api.dispatch(barredShown)
      } else if (selectIsSingles(state)) {
        if (obstacleToSingles(state) === null) {
          api.dispatch(singlesAsked(Date.now()))
        }
      } else if (obstacleTo(selectChoice(state)) === null && selectLargestStake(state) === null) {
        api.dispatch(confirmationAsked(Date.now()))
      }
    },
  })
}
