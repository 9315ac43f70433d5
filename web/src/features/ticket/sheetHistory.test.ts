import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type AppDispatch, type AppStore, makeStore, type RootState } from '../../app/store'
import { pageOpened, ticketTurned, urlVisited } from '../../platform/view/viewSlice'
import { type Steps, startSheetHistory } from './sheetHistory'

/** The `history.state` of each history entry, the newest last. */
let steps: ('page' | 'sheet')[]
let store: AppStore
let stop: () => void
let isNarrow: boolean

const start = (held: typeof steps = ['page']) => {
  steps = held
  store = makeStore()
  const fake: Steps = {
    isNarrow: () => isNarrow,
    isSheet: () => steps.at(-1) === 'sheet',
    push: () => steps.push('sheet'),
    forget: () => steps.splice(-1, 1, 'page'),
    back: vi.fn(() => steps.pop()),
  }
  stop = startSheetHistory(store.listeners.startListening.withTypes<RootState, AppDispatch>(), fake)
}

beforeEach(() => {
  isNarrow = true
  start()
})
afterEach(() => stop())

it('the sheet is a step that goes with it', () => {
  store.dispatch(ticketTurned(true))
  expect(steps).toEqual(['page', 'sheet'])
  store.dispatch(ticketTurned(false))
  expect(steps).toEqual(['page'])
})

it('going back closes it, and takes no other step', () => {
  store.dispatch(ticketTurned(true))
  steps.pop()
  store.dispatch(urlVisited({ matchId: null, page: 'list' }))
  expect(store.getState().view.ticketOpen).toBe(false)
  expect(steps).toEqual(['page'])
})

it('a page opened from it takes its step', () => {
  store.dispatch(ticketTurned(true))
  // The view does the same: it writes the address of the opened page.
  steps.splice(-1, 1, 'page')
  store.dispatch(pageOpened('login', true))
  expect(steps).toEqual(['page', 'page'])
})

it('left by a reload it is a step like others', () => {
  stop()
  start(['page', 'sheet'])
  expect(steps).toEqual(['page', 'page'])
})

it('where the ticket is a column there is no step, which going back would seem to do nothing', () => {
  isNarrow = false
  store.dispatch(ticketTurned(true))
  expect(steps).toEqual(['page'])
  store.dispatch(ticketTurned(false))
  expect(steps).toEqual(['page'])
})
