import { selectPlacement } from './placementSlice'
import type { PlacementState } from './placementState'

/** Whether a placement dialog is open. */
export function selectHasPlacementDialog(state: { readonly placement: PlacementState }): boolean {
  const placement = selectPlacement(state)
  return placement.stage !== 'idle' && !(placement.stage === 'unknown' && placement.said === 'nothing')
}
