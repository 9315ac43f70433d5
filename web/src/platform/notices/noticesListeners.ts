/** Shows some events as toasts, and removes toasts after a time. */
import type { AppStartListening, AppStore } from '../../app/store'
import { matchName } from '../offer/matchName'
import { framesApplied } from '../offer/offerSlice'
import { openMatchMissing } from '../view/viewSlice'
import { noticeDismissed, noticeShown } from './noticesSlice'

export const NOTICE_MS = 5000
/** A toast with an undo button is shown longer. */
export const ACT_MS = 10_000

export function startNotices({ dispatch }: AppStore, startListening: AppStartListening): () => void {
  const timers = new Set<ReturnType<typeof setTimeout>>()
  const stops = [
    startListening({
      actionCreator: noticeShown,
      effect: ({ payload }) => {
        const timer = setTimeout(
          () => {
            timers.delete(timer)
            dispatch(noticeDismissed(payload.id))
          },
          payload.act ? ACT_MS : NOTICE_MS,
        )
        timers.add(timer)
      },
    }),
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
    for (const timer of timers) {
      clearTimeout(timer)
    }
    for (const stop of stops) {
      stop()
    }
  }
}
