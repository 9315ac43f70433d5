import type { RootState } from '../../app/store'
import { selectConnectionStatus } from '../../platform/connection/connectionSelectors'
import { selectOfferStatus } from '../../platform/offer/offerSelectors'

/** Whether a bet can be placed now: the hub is connected and the offer is loaded. */
export function selectCanReach(state: RootState): boolean {
  return selectConnectionStatus(state) === 'open' && selectOfferStatus(state) !== 'loading'
}
