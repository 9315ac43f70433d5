import { selectPlacement } from './placementSlice'
import type { PlacementState } from './placementState'
import { selectHasSinglesDialog } from './singlesOrderSlice'

/** Whether a placement dialog is open. */
export function selectHasPlacementDialog(
  state: Parameters<typeof selectHasSinglesDialog>[0] & { readonly placement: PlacementState },
): boolean {
  const placement = selectPlacement(state)
  if (selectHasSinglesDialog(state)) {
    return true
  }
  return placement.stage !== 'idle' && !(placement.stage === 'unknown' && placement.said === 'nothing')
}
