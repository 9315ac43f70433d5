import type { RootState } from '../../app/store'
import { selectConnectionStatus } from '../connection/connectionSelectors'
import { selectOfferStatus } from '../offer/offerSelectors'

/** Whether a bet can be placed now: the hub is connected and the offer is loaded. */
export function selectCanReach(state: RootState): boolean {
  return selectConnectionStatus(state) === 'open' && selectOfferStatus(state) !== 'loading'
}
