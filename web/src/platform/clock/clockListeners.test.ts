import { expect, test } from 'vitest'
import { type AppDispatch, makeStore, type RootState } from '../../app/store'
import { selectServerOffset } from '../connection/connectionSelectors'
import { helloReceived } from '../connection/connectionSlice'
import { framesApplied } from '../offer/offerSlice'
import { startClock } from './clockListeners'

const NO_CHANGES = { sports: [], matches: [], markets: [], odds: [], parts: [] }

test('a clock that is set while the connection goes on is known from the next change on', () => {
  const at = { ours: 1_000_000, steady: 0 }
  const store = makeStore()
  const hello = (serverOffsetMs: number) =>
    store.dispatch(helloReceived({ session: 's', version: '1', feed: 'active', serverOffsetMs }))
  const change = (dateMs: number | null) =>
    store.dispatch(framesApplied({ changes: NO_CHANGES, movements: [], goals: [], deletedMatches: [], dateMs }))
  hello(5000)
  const startListening = store.listeners.startListening.withTypes<RootState, AppDispatch>()
  const stop = startClock(store, startListening, { now: () => at.ours, steady: () => at.steady })
  change(1_004_500)
  expect(selectServerOffset(store.getState())).toBe(5000)
  at.ours -= 600_000
  change(null)
  expect(selectServerOffset(store.getState())).toBe(5000)
  change(1_004_500)
  expect(selectServerOffset(store.getState())).toBe(605_000)
  // The next hello sets the offset again.
  hello(605_100)
  change(1_004_600)
  expect(selectServerOffset(store.getState())).toBe(605_100)
  stop()
  at.ours += 600_000
  change(1_004_700)
  expect(selectServerOffset(store.getState())).toBe(605_100)
})
