/** A goal is shown for 5 s, which another one in the same match restarts. It starts after the first paint. */
import type { AppStartListening, AppStore } from '../../app/store'
import type { MatchId } from '../../domain/offer'
import { connectionLost } from '../connection/connectionSlice'
import { Expiries } from './expiries'
import { goalsShown } from './goalsSlice'
import { framesApplied } from './offerSlice'

export const GOAL_MS = 5000

export function startGoals({ dispatch, getState }: AppStore, startListening: AppStartListening): () => void {
  const goals = new Expiries<MatchId>(GOAL_MS, (ids) => dispatch(goalsShown(ids)))
  for (const id of Object.keys(getState().goals)) {
    goals.start(Number(id))
  }
  const stops = [
    startListening({
      actionCreator: framesApplied,
      effect: ({ payload }) => {
        for (const { matchId } of payload.goals) {
          goals.start(matchId)
        }
        for (const { id } of payload.deletedMatches) {
          goals.delete(id)
        }
      },
    }),
    startListening({ actionCreator: connectionLost, effect: () => goals.clear() }),
  ]
  return () => {
    goals.clear()
    for (const stop of stops) {
      stop()
    }
  }
}
