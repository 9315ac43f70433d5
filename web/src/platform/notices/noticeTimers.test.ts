import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type AppDispatch, type AppStore, makeStore, type RootState } from '../../app/store'
import { noticeShown } from './noticesSlice'
import { ACT_MS, HELD_MS, NOTICE_MS, startNoticeTimers } from './noticeTimers'

let store: AppStore
let stop: () => void
let isHeld = false
const shown = () => store.getState().notices.notices.map(({ key }) => key)

beforeEach(() => {
  vi.useFakeTimers()
  isHeld = false
  store = makeStore()
})

afterEach(() => {
  stop()
  vi.useRealTimers()
})

function start() {
  const startListening = store.listeners.startListening.withTypes<RootState, AppDispatch>()
  stop = startNoticeTimers(store, startListening, () => isHeld)
}

test('a toast is removed after five seconds, one with a button after ten', () => {
  // Shown before the timers start.
  store.dispatch(noticeShown('noticeMatchEnded'))
  start()
  store.dispatch(noticeShown('noticeMatchMissing', {}, { key: 'undo', action: { type: 'undone' } }))
  vi.advanceTimersByTime(NOTICE_MS)
  expect(shown()).toEqual(['noticeMatchMissing'])
  vi.advanceTimersByTime(ACT_MS - NOTICE_MS)
  expect(shown()).toEqual([])
})

test('a toast stays while the pointer or the focus is on the toasts', () => {
  start()
  store.dispatch(noticeShown('noticeMatchEnded'))
  isHeld = true
  vi.advanceTimersByTime(NOTICE_MS + 10 * HELD_MS)
  expect(shown()).toEqual(['noticeMatchEnded'])
  isHeld = false
  vi.advanceTimersByTime(HELD_MS)
  expect(shown()).toEqual([])
})
