/**
 * Which odds have just moved, and how: the arrow, and while it is fresh the flash. Listeners take both away. A
 * persistent table as the offer's are, and a reducer without drafts, for at every frame there is a new one.
 */
import { createAction, type UnknownAction } from '@reduxjs/toolkit'
import type { Movement, OddId } from '../../domain/offer'
import { emptyTable, lookup, type Table, withChanges } from '../../domain/table'
import { connectionLost } from '../connection/connectionSlice'
import { framesApplied, offerAbsent, offerLoaded } from './offerSlice'

export interface OddMovement {
  readonly id: OddId
  readonly direction: Movement
  /** Whether the flash is under way; else only the arrow is left. */
  readonly flash: boolean
}

export type MovementsState = Table<OddMovement>

export const NO_MOVEMENTS: MovementsState = emptyTable()

export const flashesEnded = createAction<readonly OddId[]>('movements/flashesEnded')
export const arrowsEnded = createAction<readonly OddId[]>('movements/arrowsEnded')

export function movementsReducer(state: MovementsState = NO_MOVEMENTS, action: UnknownAction): MovementsState {
  if (framesApplied.match(action)) {
    // At most one flash at a time: a price that moves while it flashes does not flash again.
    const { movements, isCalm } = action.payload
    const moved = movements.map(([id, direction]) => [id, { id, direction, flash: !isCalm }] as const)
    return withChanges(state, moved)
  }
  if (flashesEnded.match(action)) {
    const ended = action.payload.flatMap((id) => {
      const movement = lookup(state, id)
      return movement ? [[id, { ...movement, flash: false }] as const] : []
    })
    return withChanges(state, ended)
  }
  if (arrowsEnded.match(action)) {
    return withChanges(
      state,
      action.payload.map((id) => [id, null] as const),
    )
  }
  return offerLoaded.match(action) || offerAbsent.match(action) || connectionLost.match(action) ? NO_MOVEMENTS : state
}
