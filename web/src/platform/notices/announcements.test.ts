import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AppDispatch, AppStore, RootState } from '../../app/store'
import { applyMessages } from '../../protocol/applyFrame'
import { aMatch, anOffer, aSport } from '../../testing/builders'
import { storeWith } from '../../testing/renderWithProviders'
import { aRowChange, tell } from '../../testing/tell'
import { connectionLost, helloReceived } from '../connection/connectionSlice'
import { framesApplied } from '../offer/offerSlice'
import { matchOpened } from '../view/viewSlice'
import { PAUSE_MS, startAnnouncements } from './announcementsListeners'
import { selectAnnouncement } from './announcementsSlice'

const hello = helloReceived({ session: 's', version: '1', feed: 'active', serverOffsetMs: 0 })

let store: AppStore
let stop: () => void
const said = () => selectAnnouncement(store.getState())

beforeEach(() => {
  vi.useFakeTimers()
  store = storeWith(anOffer([aSport({ matches: [aMatch({ id: 1 }), aMatch({ id: 2 })] })]))
  stop = startAnnouncements(store, store.listeners.startListening.withTypes<RootState, AppDispatch>())
})

afterEach(() => {
  stop()
  vi.useRealTimers()
})

describe('the opened match', () => {
  beforeEach(() => {
    store.dispatch(matchOpened(1))
  })

  test('a goal is said with the score', () => {
    tell(store, aRowChange(1, { fields: { score: [0, 1] } }), { kind: 'goal', matchId: 1, side: 2 })
    expect(said()).toEqual({ key: 'goalAnnouncement', values: { match: 'Dinamo Zagreb – Hajduk Split', score: '0:1' } })
  })

  test('a red card is said, a price is not', () => {
    tell(store, aRowChange(1, { prices: [[0, 2000]] }))
    expect(said()).toBeNull()
    tell(store, aRowChange(1, { fields: { redCards: [0, 1] } }, 2))
    expect(said()?.key).toBe('redCardAnnouncement')
  })

  test('a goal elsewhere is not', () => {
    tell(store, { kind: 'goal', matchId: 2, side: 1 })
    expect(said()).toBeNull()
  })
})

describe('a handball match', () => {
  const score = (matchId: number, pair: [number, number], follows: number) =>
    tell(store, aRowChange(matchId, { fields: { score: pair } }, follows))

  beforeEach(() => {
    stop()
    store = storeWith(
      anOffer([aSport({ id: 6, matches: [aMatch({ id: 1, sportId: 6 }), aMatch({ id: 2, sportId: 6 })] })]),
    )
    stop = startAnnouncements(store, store.listeners.startListening.withTypes<RootState, AppDispatch>())
    store.dispatch(matchOpened(1))
  })

  test('has its changes of the lead, also after a level score', () => {
    score(1, [1, 0], 1)
    score(1, [1, 1], 2)
    score(1, [2, 1], 3)
    score(1, [2, 2], 4)
    expect(said()).toBeNull()
    score(1, [2, 3], 5)
    expect(said()).toEqual({ key: 'spokenLead', values: { name: 'Hajduk Split', score: '2:3' } })
  })

  test('has none while another one is open', () => {
    score(2, [1, 0], 1)
    score(2, [1, 2], 2)
    expect(said()).toBeNull()
  })
})

test('the facts of the opened match are said, but neither the first ones nor those of another match', () => {
  const visits = (...numbers: number[]) => [[], [], [], [[11, ...numbers]]]
  const send = (matchId: number, history: unknown) =>
    store.dispatch(framesApplied({ ...applyMessages(store.getState().offer, []), histories: [[matchId, history]] }))
  stop()
  const [first, second] = [aMatch({ id: 1, sportId: 22 }), aMatch({ id: 2, sportId: 22 })]
  store = storeWith(anOffer([aSport({ id: 22, matches: [first, second] })]))
  stop = startAnnouncements(store, store.listeners.startListening.withTypes<RootState, AppDispatch>())
  store.dispatch(matchOpened(1))
  send(1, visits(1, 121, 0))
  send(2, visits(1, 121, 0))
  send(2, visits(1, 121, 0, 2, 140, 0))
  expect(said()).toBeNull()
  send(1, visits(1, 121, 0, 2, 140, 0))
  expect(said()).toEqual({ key: 'spokenCheckout', values: { name: 'Hajduk Split', points: 140 } })
})

test('the connection is said to be lost once, and to be back', () => {
  store.dispatch(hello)
  expect(said()).toBeNull()
  store.dispatch(connectionLost())
  expect(said()?.key).toBe('reconnecting')
  vi.advanceTimersByTime(PAUSE_MS)
  store.dispatch(connectionLost())
  store.dispatch(hello)
  expect(said()?.key).toBe('connectionBack')
})

test('of what comes within a pause the newest is said after it', () => {
  store.dispatch(matchOpened(1))
  tell(store, aRowChange(1, { fields: { redCards: [0, 1] } }))
  tell(store, aRowChange(1, { fields: { redCards: [0, 2] } }, 2))
  tell(store, { kind: 'goal', matchId: 1, side: 1 })
  expect(said()?.key).toBe('redCardAnnouncement')
  vi.advanceTimersByTime(PAUSE_MS)
  expect(said()?.key).toBe('goalAnnouncement')
})
