import { expect, test } from 'vitest'
import type { ToldMarket } from '../../protocol/frames'
import { aMarket, aMatch, anOdd, anOffer, aSport, aTotal } from '../../testing/builders'
import { storeWith } from '../../testing/renderWithProviders'
import { columnsFor, inTwoColumns, selectGroupShape } from './groupShape'

function shapeOf(...markets: readonly ToldMarket[]) {
  const match = aMatch({ id: 1, markets, numberOfOdds: 40 })
  const store = storeWith(anOffer([aSport({ matches: [{ ...match, markets: [] }] })]), { opened: [match] })
  return selectGroupShape(
    store.getState(),
    1,
    markets.map(({ id }) => id),
  )
}

test('lines of one kind are a ladder below the headings of the first, the balanced one marked', () => {
  const [low, high] = [aTotal('1.5'), aTotal('2.5', { balanced: true })]
  const reversed = { ...high, odds: [...high.odds].reverse() }
  const shape = shapeOf(low, reversed)
  expect(shape).toMatchObject({ kind: 'ladder', values: 'line', headings: ['Manje', 'Više'] })
  expect(shape?.lines.map(({ sbv, balanced }) => [sbv, balanced])).toEqual([
    ['1.5', false],
    ['2.5', true],
  ])
  // Whatever the order of its odds, each stands below its heading.
  expect(shape?.lines[1]?.oddIds).toEqual(high.odds.map(({ id }) => id))
})

test.each([
  ['0:1', 'handicap'],
  ['-1.5', 'handicap'],
  ['+0.5', 'handicap'],
  ['2.5', 'line'],
  ['21-30', 'line'],
])('the value %s is a %s', (sbv, values) => {
  expect(shapeOf(aTotal(sbv))?.values).toBe(values)
})

test('a single line, and markets of many outcomes, are lists', () => {
  expect(shapeOf(aTotal('2.5'))?.kind).toBe('lists')
  const many = () => aMarket({ sbv: '1', odds: ['a', 'b', 'c', 'd'].map((type) => anOdd({ type })) })
  expect(shapeOf(many(), many())?.kind).toBe('lists')
})

test('a line of which nothing is offered is left out, and a card without lines is none', () => {
  const gone = aTotal('1.5', { odds: [anOdd({ value: 1000 }), anOdd({ value: 0 })] })
  expect(shapeOf(gone, aTotal('2.5'))?.lines).toHaveLength(1)
  expect(shapeOf(gone)).toBeNull()
})

test.each([
  [1, 1],
  [2, 2],
  [3, 3],
  [4, 2],
  [9, 3],
])('%d odds stand in %d columns', (odds, columns) => {
  expect(columnsFor(odds)).toBe(columns)
})

test('cards fill the column in which less stands', () => {
  expect(inTwoColumns(['a', 'b', 'c', 'd'], [5, 1, 1, 1])).toEqual([['a'], ['b', 'c', 'd']])
})
