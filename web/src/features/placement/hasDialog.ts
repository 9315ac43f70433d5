import { type PlacementState, selectPlacement } from './placementSlice'

/** Whether a placement dialog is open. */
export function selectHasPlacementDialog(state: { readonly placement: PlacementState }): boolean {
  const placement = selectPlacement(state)
  return placement.stage !== 'idle' && !(placement.stage === 'unknown' && placement.said === 'nothing')
}
