import { expect, test } from 'vitest'
import { type AppDispatch, makeStore, type RootState } from '../../app/store'
import { EMPTY_OFFER } from '../../domain/offer'
import { aMatch, anOffer, aSport } from '../../testing/builders'
import { storeWith } from '../../testing/renderWithProviders'
import { offerLoaded } from '../offer/offerSlice'
import { loadHidden, startHidden } from './hiddenStorage'
import { selectHiddenMatches } from './viewSelectors'
import { allMatchesShown, matchHiddenToggled } from './viewSlice'

function storage(text: string | null = null) {
  const held = new Map(text === null ? [] : [['cn-hidden', text]])
  return {
    getItem: (key: string) => held.get(key) ?? null,
    setItem: (key: string, value: string) => held.set(key, value),
  }
}

function started(kept = storage(), store = makeStore()) {
  startHidden(store.listeners.startListening.withTypes<RootState, AppDispatch>(), kept as never)
  return { kept, store }
}

test('hidden matches are hidden after a reload too', () => {
  const { kept, store } = started()
  store.dispatch(matchHiddenToggled(11))
  store.dispatch(matchHiddenToggled(12))
  expect(loadHidden(kept as never)).toEqual({ 11: true, 12: true })
  store.dispatch(matchHiddenToggled(11))
  expect(loadHidden(kept as never)).toEqual({ 12: true })
  store.dispatch(allMatchesShown())
  expect(loadHidden(kept as never)).toEqual({})
})

test('at most 200 are kept, the latest', () => {
  const { kept, store } = started()
  for (let id = 1; id <= 250; id += 1) {
    store.dispatch(matchHiddenToggled(id))
  }
  const ids = Object.keys(loadHidden(kept as never)).map(Number)
  expect([ids.length, Math.min(...ids)]).toEqual([200, 51])
})

test.each([null, '', '{', '5', '["x", -1, 1.5, null]'])('a stored text of %j hides nothing', (text) => {
  expect(loadHidden(storage(text) as never)).toEqual({})
})

test('a match that leaves the offer is forgotten', () => {
  const { kept, store } = started(storage(), storeWith(anOffer([aSport({ matches: [aMatch({ id: 11 })] })])))
  store.dispatch(matchHiddenToggled(11))
  store.dispatch(offerLoaded({ offer: EMPTY_OFFER, feed: 'active', dateMs: null }))
  expect(selectHiddenMatches(store.getState())).toEqual({})
  expect(loadHidden(kept as never)).toEqual({})
})
