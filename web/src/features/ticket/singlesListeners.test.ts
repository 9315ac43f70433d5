import { beforeEach, expect, it } from 'vitest'
import { type AppDispatch, type AppStore, makeStore, type RootState } from '../../app/store'
import { ticketReceived } from '../../platform/connection/hubMessages'
import {
  selectIsSinglesOn,
  selectSingles,
  singleStakeSet,
  singlesTurned,
  sumOf,
} from '../../platform/ticket/singlesSlice'
import { wished } from '../../platform/ticket/ticketSlice'
import { restoreAsked } from '../../platform/view/requests'
import { FakeStorage } from '../../testing/fakePlacing'
import { aPair, aTicket } from '../../testing/ticketBuilders'
import { startRestore } from './restore'
import { startSingles } from './singlesListeners'

const PAIRS = [aPair({ matchId: 17, oddId: 101 }), aPair({ matchId: 18, oddId: 201 })]
const TICKET = aTicket({ stake: '10.00', pairs: PAIRS })

let storage: FakeStorage

beforeEach(() => {
  storage = new FakeStorage()
})

function open(): AppStore {
  const store = makeStore()
  const startListening = store.listeners.startListening.withTypes<RootState, AppDispatch>()
  startSingles(store, startListening, storage)
  startRestore(startListening)
  store.dispatch(ticketReceived(TICKET))
  return store
}

function withSingles(): AppStore {
  const store = open()
  store.dispatch(singlesTurned(true))
  store.dispatch(singleStakeSet({ oddId: 201, stake: '7.00' }))
  return store
}

const stakes = (store: AppStore) => selectSingles(store.getState()).map(({ stake }) => stake)
const isOn = (store: AppStore) => selectIsSinglesOn(store.getState())

it('a pair without a stake of its own has that of the ticket', () => {
  const store = withSingles()
  expect(stakes(store)).toEqual(['10.00', '7.00'])
  expect(sumOf(selectSingles(store.getState()), 'stake')).toBe('17.00')
})

it('the singles are kept over a reload', () => {
  withSingles()
  const store = open()
  expect(isOn(store)).toBe(true)
  expect(stakes(store)).toEqual(['10.00', '7.00'])
})

it.each(['', '{', '{"isOn":1,"stakes":{"201":"0.5","202":7}}'])('stored %j does no harm', (text) => {
  storage.setItem('cn-singles', text)
  const store = open()
  expect(isOn(store)).toBe(false)
  expect(stakes(store)).toEqual(['10.00', '10.00'])
})

it('a login, which sends an empty ticket first, keeps them', () => {
  const store = withSingles()
  store.dispatch(ticketReceived(aTicket({ pairs: [] })))
  store.dispatch(ticketReceived(TICKET))
  expect(isOn(store)).toBe(true)
  expect(stakes(store)).toEqual(['10.00', '7.00'])
})

it('clearing the ticket ends them, and putting it back brings them back', () => {
  const store = withSingles()
  store.dispatch(wished({ wish: 'clear' }))
  expect(isOn(store)).toBe(false)
  store.dispatch(restoreAsked(TICKET))
  expect(isOn(store)).toBe(true)
  expect(stakes(store)).toEqual(['10.00', '7.00'])
})

it('another ticket that is put on the empty one is not made of singles', () => {
  const store = withSingles()
  store.dispatch(wished({ wish: 'clear' }))
  store.dispatch(restoreAsked(aTicket({ pairs: PAIRS.slice(0, 1) })))
  expect(isOn(store)).toBe(false)
})

it('a removed pair loses its stake', () => {
  const store = withSingles()
  store.dispatch(wished({ wish: 'drop', matchId: 18 }))
  expect(store.getState().singles?.stakes).toEqual({})
})
