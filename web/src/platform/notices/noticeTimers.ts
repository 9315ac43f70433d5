/** Removes toasts after a time. It starts with the chunk that shows them, so that the time is that on the screen. */
import type { AppStartListening, AppStore } from '../../app/store'
import { type Notice, noticeDismissed, noticeShown } from './noticesSlice'

export const NOTICE_MS = 5000
/** A toast with an undo button is shown longer. */
export const ACT_MS = 10_000
/** The pause between checks whether a toast that should go is still held. */
export const HELD_MS = 1000

export function startNoticeTimers(
  { dispatch, getState }: AppStore,
  startListening: AppStartListening,
  isHeld: () => boolean = areToastsHeld,
): () => void {
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  const removeIn = (ms: number, id: string) => {
    const remove = () => {
      timers.delete(id)
      if (isHeld()) {
        removeIn(HELD_MS, id)
      } else {
        dispatch(noticeDismissed(id))
      }
    }
    timers.set(id, setTimeout(remove, ms))
  }
  const begin = ({ id, act }: Notice) => removeIn(act ? ACT_MS : NOTICE_MS, id)
  getState().notices.notices.forEach(begin)
  const stop = startListening({ actionCreator: noticeShown, effect: ({ payload }) => begin(payload) })
  return () => {
    stop()
    for (const timer of timers.values()) {
      clearTimeout(timer)
    }
  }
}

/** Whether the pointer or the focus is on a toast. Its user may need longer than others (WCAG 2.2.1). */
function areToastsHeld(): boolean {
  return document.querySelector('[data-toasts]:hover, [data-toasts]:focus-within') !== null
}
