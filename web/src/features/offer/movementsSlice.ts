/** Which odds have just moved, and how: the arrow, and while it is fresh the flash. Listeners take both away. */
import { createSlice, type PayloadAction } from '@reduxjs/toolkit'
import type { Movement, OddId } from '../../domain/offer'
import { connectionLost } from '../connection/connectionSlice'
import { framesApplied, offerAbsent, offerLoaded } from './offerSlice'

export interface OddMovement {
  direction: Movement
  /**
   * The flash under way, or null where only the arrow is left. Two names take turns, so that a style sheet can give
   * each its own copy of the animation and a new flash starts from its beginning.
   */
  flash: 'a' | 'b' | null
  /** The name of the last flash. */
  lastFlash: 'a' | 'b' | null
}

export type MovementsState = Record<OddId, OddMovement>

const initialState: MovementsState = {}

export const movementsSlice = createSlice({
  name: 'movements',
  initialState,
  reducers: {
    flashesEnded(state, { payload }: PayloadAction<readonly OddId[]>) {
      for (const id of payload) {
        const movement = state[id]
        if (movement) {
          movement.flash = null
        }
      }
    },
    arrowsEnded(state, { payload }: PayloadAction<readonly OddId[]>) {
      for (const id of payload) {
        delete state[id]
      }
    },
  },
  extraReducers: (builder) => {
    builder
      .addCase(framesApplied, (state, { payload }) => {
        for (const [id, direction] of payload.movements) {
          const held = state[id]
          if (held?.flash) {
            // At most one flash at a time: the newer value is shown without starting it again.
            held.direction = direction
          } else {
            const flash = held?.lastFlash === 'a' ? 'b' : 'a'
            state[id] = { direction, flash, lastFlash: flash }
          }
        }
      })
      .addCase(offerLoaded, () => initialState)
      .addCase(offerAbsent, () => initialState)
      .addCase(connectionLost, () => initialState)
  },
})

export const { flashesEnded, arrowsEnded } = movementsSlice.actions
