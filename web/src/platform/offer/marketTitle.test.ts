import { expect, test } from 'vitest'
import { aMarket, aMatch, anOdd, anOffer, aSport } from '../../testing/builders'
import { storeWith } from '../../testing/renderWithProviders'
import { marketTitle, pairMarket, titleOf } from './marketTitle'
import { selectMarket, selectOdd } from './offerSelectors'

test.each([
  ['Frejmovi: prvi do', '4', 'Frejmovi: prvi do 4'],
  ['Pobjednik', null, 'Pobjednik'],
  ['Pobjednik', '', 'Pobjednik'],
  [null, null, ''],
])('the market %s with the line %s is called %s', (name, sbv, title) => {
  expect(marketTitle(name, sbv)).toBe(title)
})

test.each([
  ['Hendikep', '1', '2.5', 'Hendikep +2.5'],
  ['Hendikep', '2', '-1.5', 'Hendikep -1.5'],
  ['Ukupno golova', 'Više', '2.5', 'Ukupno golova 2.5'],
  ['Tko postiže poen broj', '1', '4', 'Tko postiže poen broj 4'],
  ['Pobjednik', '1', null, 'Pobjednik'],
])('the market %s of the pair %s with the line %s is called %s', (marketName, oddName, sbv, title) => {
  expect(pairMarket({ marketName, marketType: 23, oddType: oddName, oddName, sbv })).toBe(title)
})

test.each([
  ['Hendikep', '1'],
  ['Handicap', '1'],
  ['Хендикеп', '2'],
])('the handicap %s of the pair %s has its sign in each language', (marketName, oddName) => {
  const pair = { marketName, marketType: 9, oddType: oddName, oddName }
  const titles = ['1.5', '1', '0', '-1'].map((sbv) => pairMarket({ ...pair, sbv }))
  expect(titles).toEqual(['+1.5', '+1', '0', '-1'].map((line) => `${marketName} ${line}`))
})

test("a provider's handicap has its sign on a ticket too", () => {
  const pair = { marketName: 'Handicap', marketType: 16, oddType: '1714', oddName: 'Cibona (+1.5)' }
  expect(pairMarket({ ...pair, sbv: '1.5' })).toBe('Handicap +1.5')
  // A bet from an older server has no type of its odd.
  expect(pairMarket({ ...pair, oddType: null, sbv: '1.5' })).toBe('Handicap +1.5')
})

test("a provider's variant is not shown", () => {
  const pair = { marketName: 'Exact goals', marketType: 21, oddType: 'sr:exact_goals:6+:72', oddName: '2' }
  expect(pairMarket({ ...pair, sbv: 'sr:exact_goals:6+' })).toBe('Exact goals')
})

test('a market of the offer has the sign of its handicap, also beside one of its odds', () => {
  const odds = [anOdd({ id: 1, type: '1' }), anOdd({ id: 2, type: '2' })]
  const market = aMarket({ id: 5, name: 'Hendikep', type: 9, sbv: '1.5', odds })
  const state = storeWith(anOffer([aSport({ matches: [aMatch({ markets: [market] })] })])).getState()
  const offered = selectMarket(state, 5)
  const odd = selectOdd(state, 1)
  expect(offered && odd && titleOf(offered, [odd])).toBe('Hendikep +1.5')
})
