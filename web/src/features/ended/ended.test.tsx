import { act, screen, within } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import type { AppDispatch, RootState } from '../../app/store'
import { offerLoaded } from '../../platform/offer/offerSlice'
import { sportFilterToggled } from '../../platform/preferences/preferencesSlice'
import type { ToldMatch } from '../../protocol/frames'
import { loadOffer } from '../../protocol/loadOffer'
import { aMatch, anOffer, aSport } from '../../testing/builders'
import { renderWithProviders, storeWith } from '../../testing/renderWithProviders'
import { aRowChange, tell } from '../../testing/tell'
import { EndedPage } from './EndedPage'
import { startEnded } from './endedListeners'
import { selectEnded } from './endedSlice'

const NOW = Date.now()
const MINUTE = 60_000

const played = (id: number, fields: Partial<ToldMatch> = {}) =>
  aMatch({ id, home: `Domaći ${id}`, away: 'Gosti', status: 'second_half', score: [2, 1], scores: [[1, 0]], ...fields })

const offerOf = (...matches: ToldMatch[]) => anOffer([aSport({ id: 1, matches }), aSport({ id: 5, matches: [] })])

function storage(stored: unknown = null) {
  const held = new Map(stored === null ? [] : [['cn-ended', JSON.stringify(stored)]])
  return {
    getItem: (key: string) => held.get(key) ?? null,
    setItem: vi.fn((key: string, value: string) => void held.set(key, value)),
  }
}

function start({ kept = storage(), matches = [played(11)] } = {}) {
  const store = storeWith(offerOf(...matches))
  let now = NOW
  startEnded(store, store.listeners.startListening.withTypes<RootState, AppDispatch>(), kept as never, () => now)
  return { store, kept, after: (ms: number) => (now += ms) }
}

const load = (store: ReturnType<typeof storeWith>, ...matches: ToldMatch[]) =>
  act(() => {
    store.dispatch(offerLoaded({ offer: loadOffer(offerOf(...matches)), feed: 'active', dateMs: null }))
  })

const ids = (store: ReturnType<typeof storeWith>) => selectEnded(store.getState()).map(({ id }) => id)

test('a match that ends is kept with its result, also after it has left the offer', () => {
  const { store } = start()
  renderWithProviders(<EndedPage />, { store })
  expect(screen.getByRole('heading', { level: 2, name: 'U zadnjem satu nije završila nijedna utakmica' })).toBeTruthy()
  tell(store, aRowChange(11, { fields: { status: 'ended', score: [3, 1] } }))
  expect(screen.getByRole('link', { name: 'Domaći 11 – Gosti' })).toBeTruthy()
  tell(store, { kind: 'matchDeleted', matchId: 11 })
  const [row] = screen.getAllByRole('listitem')
  expect(row?.textContent).toBe('Nogomet, Domaći 11 – GostiHrvatska, 1. HNL, Rezultat 3:1PV 1:0upravo sada')
  expect(within(row as HTMLElement).queryByRole('link')).toBe(null)
})

test('the sets are below the result, which is not repeated', () => {
  const { store } = start({ matches: [] })
  const fields = {
    sportId: 5,
    status: 'ended',
    score: [0, 3],
    result: '0:3',
    scores: [
      [4, 6],
      [6, 7],
      [1, 6],
    ],
  } as const
  const offer = anOffer([aSport({ id: 5, matches: [played(11, fields as Partial<ToldMatch>)] })])
  act(() => {
    store.dispatch(offerLoaded({ offer: loadOffer(offer), feed: 'active', dateMs: null }))
  })
  renderWithProviders(<EndedPage />, { store })
  expect(screen.getByRole('listitem').textContent).toContain(', Rezultat 0:34:6  6:7  1:6upravo sada')
})

test('the latest comes first, and an hour later a match is not shown any more', () => {
  const { store, after } = start({ matches: [played(11), played(12)] })
  tell(store, aRowChange(11, { fields: { status: 'ended' } }))
  after(30 * MINUTE)
  tell(store, aRowChange(12, { fields: { status: 'ended' } }))
  expect(ids(store)).toEqual([12, 11])
  after(31 * MINUTE)
  load(store, played(13, { status: 'ended' }))
  expect(ids(store)).toEqual([13, 12])
})

test('a match that goes on after a mistaken end is not kept', () => {
  const { store } = start({ matches: [played(11, { status: 'ended' })] })
  expect(ids(store)).toEqual([11])
  tell(store, aRowChange(11, { fields: { status: 'second_half' } }))
  expect(ids(store)).toEqual([])
})

test('the results are kept over a reload; what is malformed or too old is left out', () => {
  const first = start({ matches: [played(11, { status: 'ended' })] })
  first.after(MINUTE)
  load(first.store, played(12, { status: 'ended' }))
  const stored = JSON.parse(first.kept.getItem('cn-ended') ?? '')
  const [latest] = stored
  const kept = storage([...stored, null, 5, { id: 9 }, { ...latest, id: 10, endedMs: NOW - 61 * MINUTE }])
  expect(ids(start({ kept, matches: [] }).store)).toEqual([12, 11])
})

test('the page follows the filter of sports', () => {
  const { store } = start({ matches: [played(11, { status: 'ended' })] })
  renderWithProviders(<EndedPage />, { store })
  expect(screen.getAllByRole('listitem').length).toBe(1)
  act(() => {
    store.dispatch(sportFilterToggled(5))
  })
  expect(screen.queryAllByRole('listitem')).toEqual([])
})
