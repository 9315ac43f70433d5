/** What the bettor is told of in passing, and for how long. */
import type { AppStartListening, AppStore } from '../../app/store'
import { matchName } from '../offer/matchName'
import { framesApplied } from '../offer/offerSlice'
import { openMatchMissing } from '../view/viewSlice'
import { noticeDismissed, noticeShown } from './noticesSlice'

export const NOTICE_MS = 5000
/** One that offers to undo something: time to find it. */
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
    // A match that leaves the offer while it is open.
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
    // A link to a match that is not in the offer.
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
