import type { RootState } from '../../app/store'
import { selectConnectionStatus } from '../connection/connectionSelectors'
import { selectOfferStatus } from '../offer/offerSelectors'

/** Whether there is somebody to place a bet with: after a loss not before the offer is back. */
export function selectCanReach(state: RootState): boolean {
  return selectConnectionStatus(state) === 'open' && selectOfferStatus(state) !== 'loading'
}
