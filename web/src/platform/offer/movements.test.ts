import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type AppDispatch, type AppStore, makeStore, type RootState } from '../../app/store'
import type { Movement } from '../../domain/offer'
import { lookup } from '../../domain/table'
import { connectionLost } from '../connection/connectionSlice'
import { startGoals } from './goalsListeners'
import { startMovements } from './movementsListeners'
import { framesApplied } from './offerSlice'

const NO_CHANGES = { sports: [], matches: [], markets: [], odds: [], parts: [] }

let store: AppStore
let stop: () => void

beforeEach(() => {
  vi.useFakeTimers()
  store = makeStore()
  const startListening = store.listeners.startListening.withTypes<RootState, AppDispatch>()
  const stops = [startMovements(store, startListening), startGoals(store, startListening)]
  stop = () => {
    for (const end of stops) {
      end()
    }
  }
})

afterEach(() => {
  stop()
  vi.useRealTimers()
})

function move(...movements: [number, Movement][]) {
  store.dispatch(framesApplied({ changes: NO_CHANGES, movements, goals: [], deletedMatches: [], dateMs: null }))
}

function score(matchId: number, side: 1 | 2) {
  const goals = [{ matchId, side }]
  store.dispatch(framesApplied({ changes: NO_CHANGES, movements: [], goals, deletedMatches: [], dateMs: null }))
}

const shown = (id: number) => lookup(store.getState().movements, id)

describe('an odd that moved', () => {
  it('flashes for 800 ms and keeps its arrow for 4 s', () => {
    move([1, 1])
    expect(shown(1)).toMatchObject({ direction: 1, flash: true })
    vi.advanceTimersByTime(799)
    expect(shown(1)?.flash).toBe(true)
    vi.advanceTimersByTime(1)
    expect(shown(1)).toMatchObject({ direction: 1, flash: false })
    vi.advanceTimersByTime(3199)
    expect(shown(1)).toBeDefined()
    vi.advanceTimersByTime(1)
    expect(shown(1)).toBeUndefined()
  })

  it('and moves again shows the new way without flashing anew, its arrow 4 s from then', () => {
    move([1, 1])
    vi.advanceTimersByTime(500)
    move([1, -1])
    expect(shown(1)).toMatchObject({ direction: -1, flash: true })
    vi.advanceTimersByTime(300)
    expect(shown(1)?.flash).toBe(false)
    vi.advanceTimersByTime(3699)
    expect(shown(1)).toBeDefined()
    vi.advanceTimersByTime(1)
    expect(shown(1)).toBeUndefined()
  })

  it('and moves again after its flash flashes anew', () => {
    move([1, 1])
    vi.advanceTimersByTime(1000)
    move([1, 1])
    expect(shown(1)?.flash).toBe(true)
    vi.advanceTimersByTime(800)
    expect(shown(1)?.flash).toBe(false)
  })

  it('among many ends with one dispatch', () => {
    move(...Array.from({ length: 200 }, (_, id) => [id, 1] as [number, Movement]))
    const changed = vi.fn()
    store.subscribe(changed)
    vi.advanceTimersByTime(4000)
    expect(changed).toHaveBeenCalledTimes(2)
  })

  it('is forgotten when the connection is lost', () => {
    move([1, 1])
    store.dispatch(connectionLost())
    expect(store.getState().movements.size).toBe(0)
    move([2, 1])
    vi.advanceTimersByTime(799)
    expect(shown(2)?.flash).toBe(true)
  })
})

describe('a goal', () => {
  it('is shown for 5 s', () => {
    score(17, 2)
    vi.advanceTimersByTime(4999)
    expect(store.getState().goals).toEqual({ 17: 2 })
    vi.advanceTimersByTime(1)
    expect(store.getState().goals).toEqual({})
  })

  it('soon after another one is shown for 5 s from then', () => {
    score(17, 1)
    vi.advanceTimersByTime(3000)
    score(17, 2)
    vi.advanceTimersByTime(4999)
    expect(store.getState().goals).toEqual({ 17: 2 })
    vi.advanceTimersByTime(1)
    expect(store.getState().goals).toEqual({})
  })

  it('goes with its match', () => {
    score(17, 1)
    const deletedMatches = [{ id: 17, sportId: 1, home: null, away: null }]
    store.dispatch(framesApplied({ changes: NO_CHANGES, movements: [], goals: [], deletedMatches, dateMs: null }))
    expect(store.getState().goals).toEqual({})
  })
})
