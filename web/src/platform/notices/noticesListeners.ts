/** Shows some events as toasts. */
import type { AppStartListening, AppStore } from '../../app/store'
import { matchName } from '../offer/matchName'
import { framesApplied } from '../offer/offerSlice'
import { openMatchMissing } from '../view/viewSlice'
import { noticeShown } from './noticesSlice'

export function startNotices({ dispatch }: AppStore, startListening: AppStartListening): () => void {
  const stops = [
    // The opened match has left the offer.
    startListening({
      actionCreator: framesApplied,
      effect: ({ payload }, api) => {
        const { openMatchId } = api.getOriginalState().view
        const match = payload.deletedMatches.find(({ id }) => id === openMatchId)
        if (match) {
          dispatch(noticeShown('noticeMatchEnded', { match: matchName(match) }))
        }
      },
    }),
    // A link leads to a match that is not in the offer.
    startListening({
      actionCreator: openMatchMissing,
      effect: ({ payload }, api) => {
        if (api.getOriginalState().view.openMatchId === payload) {
          dispatch(noticeShown('noticeMatchMissing'))
        }
      },
    }),
  ]
  return () => {
    for (const stop of stops) {
      stop()
    }
  }
}
