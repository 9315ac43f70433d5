/** The matches in which a goal has just been scored, by which side. A listener takes each flag away after 5 s. */
import { createSlice, type PayloadAction } from '@reduxjs/toolkit'
import type { MatchId, Side } from '../../domain/offer'
import { connectionLost } from '../connection/connectionSlice'
import { framesApplied } from './offerSlice'

export type GoalsState = Record<MatchId, Side>

const initialState: GoalsState = {}

export const goalsSlice = createSlice({
  name: 'goals',
  initialState,
  reducers: {
    /** Long enough. */
    goalsShown(state, { payload }: PayloadAction<readonly MatchId[]>) {
      for (const id of payload) {
        delete state[id]
      }
    },
  },
  extraReducers: (builder) => {
    builder
      .addCase(framesApplied, (state, { payload }) => {
        for (const { matchId, side } of payload.goals) {
          state[matchId] = side
        }
        for (const { id } of payload.deletedMatches) {
          delete state[id]
        }
      })
      .addCase(connectionLost, () => initialState)
  },
})

export const { goalsShown } = goalsSlice.actions
