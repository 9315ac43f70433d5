import { expect, test } from 'vitest'
import type { ToldMarket, ToldOdd } from '../../protocol/frames'
import { aMarket, aMatch, anOdd, anOffer, aSport, aTotal } from '../../testing/builders'
import { storeWith } from '../../testing/renderWithProviders'
import { aRowChange, tell } from '../../testing/tell'
import { columnsFor, groupShapeSelector, inTwoColumns, roomFor, selectGroupShape, selectWeights } from './groupShape'

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
  // Each odd is below its heading, whatever the order of the odds.
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

test('handicaps of the home side have a sign, though the feed sends none for a lead', () => {
  const line = (sbv: string) => aMarket({ sbv, odds: ['1', '2'].map((type) => anOdd({ type })) })
  const shape = shapeOf(line('0.5'), line('1.5'))
  expect([shape?.values, shape?.lines.map(({ sbv }) => sbv)]).toEqual(['handicap', ['+0.5', '+1.5']])
})

test('whole lines have their sign too, and a level one has none', () => {
  const line = (sbv: string) => aMarket({ type: 9, sbv, odds: ['1', '2'].map((type) => anOdd({ type })) })
  expect(shapeOf(line('-1'), line('0'), line('1'))?.lines.map(({ sbv }) => sbv)).toEqual(['-1', '0', '+1'])
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

test('lines of a provider without short labels are a ladder of outcomes, whatever its names have of the line', () => {
  const line = (sbv: string, first: number) =>
    aTotal(sbv, {
      odds: ['over', 'under'].map((word, place) => {
        const name = `${word} ${sbv}`
        return anOdd({ id: first + place, type: `${12 + place}`, alias: name, description: name })
      }),
    })
  const high = line('3.5', 20)
  const shape = shapeOf(line('2.5', 10), { ...high, odds: [...high.odds].reverse() })
  expect(shape).toMatchObject({ kind: 'ladder', headings: ['Over', 'Under'] })
  expect(shape?.lines.map(({ oddIds }) => oddIds)).toEqual([
    [10, 11],
    [20, 21],
  ])
})

test("a provider's handicaps have the sign of a lead, as the labels of their odds are the sides", () => {
  const line = (sbv: string) =>
    aMarket({
      sbv,
      odds: ['1', '2'].map((alias) => anOdd({ type: `171${alias}`, alias, description: `Team ${alias}` })),
    })
  expect(shapeOf(line('0.5'), line('1.5'))).toMatchObject({ values: 'handicap', headings: ['1', '2'] })
})

test("a provider's handicaps without short labels have their sign too", () => {
  const name = (team: string, line: string) => ({ alias: `${team} (${line})`, description: `${team} (${line})` })
  const shape = shapeOf(
    aMarket({
      sbv: '1',
      odds: [anOdd({ type: '1714', ...name('Ajax', '+1') }), anOdd({ type: '1715', ...name('PSV', '-1') })],
    }),
    aMarket({
      sbv: '2',
      odds: [anOdd({ type: '1714', ...name('Ajax', '+2') }), anOdd({ type: '1715', ...name('PSV', '-2') })],
    }),
  )
  expect(shape).toMatchObject({ kind: 'ladder', values: 'handicap', headings: ['Ajax', 'PSV'] })
  expect(shape?.lines.map(({ sbv }) => sbv)).toEqual(['+1', '+2'])
})

test("a provider's lines that differ in a variant alone are lists with the full names of their odds", () => {
  const total = (sbv: string, line: string) =>
    aMarket({
      sbv,
      odds: [
        anOdd({ type: '12', alias: 'over', description: `over ${line}` }),
        anOdd({ type: '13', alias: 'under', description: `under ${line}` }),
      ],
    })
  const shape = shapeOf(total('sr:total:pre:2.5/15/29', '2.5'), total('sr:total:pre:3.5/15/29', '3.5'))
  expect(shape?.kind).toBe('lists')
  expect(shape?.lines.map(({ sbv, labels }) => [sbv, labels])).toEqual([
    ['15/29', ['over 2.5', 'under 2.5']],
    ['15/29', ['over 3.5', 'under 3.5']],
  ])
})

test("a single line of a provider's variant is not shown, and its odds keep their short names", () => {
  const odds = [anOdd({ type: 'sr:exact_goals:6+:72', alias: '2', description: '2 goals' })]
  expect(shapeOf(aMarket({ sbv: 'sr:exact_goals:6+', odds }))?.lines).toMatchObject([{ sbv: '', labels: ['2'] }])
})

test('two odds of one name are told apart by their description, or else by their alias', () => {
  const odds = (told: Partial<ToldOdd>[]) => told.map((odd) => anOdd({ type: 'X', description: null, ...odd }))
  const labels = (told: Partial<ToldOdd>[]) => shapeOf(aMarket({ odds: odds(told) }))?.lines[0]?.labels
  expect(labels([{ description: 'doma' }, { description: 'vani' }, { type: '1' }])).toEqual([
    'X (doma)',
    'X (vani)',
    '1',
  ])
  expect(labels([{ alias: 'a' }, { alias: 'b' }])).toEqual(['X (a)', 'X (b)'])
  expect(
    labels([
      { description: 'doma', alias: 'a' },
      { description: 'doma', alias: 'b' },
    ]),
  ).toEqual(['X (a)', 'X (b)'])
  // The feed sends no other field to distinguish them.
  expect(labels([{ alias: 'a' }, { alias: 'a' }])).toEqual(['X', 'X'])
})

test('two odds of one name in a ladder have a place each', () => {
  const twice = (sbv: string) =>
    aTotal(sbv, { odds: [anOdd({ type: 'X', alias: 'x' }), anOdd({ type: 'X', alias: 'x' })] })
  const [low, high] = [twice('1.5'), twice('2.5')]
  const shape = shapeOf(low, high)
  expect(shape?.kind).toBe('ladder')
  expect(shape?.lines.map(({ oddIds }) => oddIds)).toEqual([low, high].map(({ odds }) => odds.map(({ id }) => id)))
})

test.each([
  [3, 5, 'short'],
  [3, 6, 'middle'],
  [3, 9, 'middle'],
  [3, 10, 'wide'],
  [3, 14, 'wide'],
  [3, 15, 'long'],
  [3, 41, 'full'],
  [2, 13, 'short'],
  [2, 14, 'middle'],
  [2, 23, 'long'],
  [1, 29, 'short'],
] as const)('in %d columns a label of %d letters is %s', (columns, letters, room) => {
  expect(roomFor(columns, ['1', 'a'.repeat(letters)])).toBe(room)
})

test('a shape is the very same until something of its group changes', () => {
  const [low, high] = [aTotal('1.5'), aTotal('2.5')]
  const match = aMatch({ id: 1, markets: [low, high], numberOfOdds: 40 })
  const store = storeWith(anOffer([aSport({ matches: [match, aMatch({ id: 2 })] })]))
  const select = groupShapeSelector(1, [low.id, high.id])
  const before = select(store.getState())
  const groups = [{ marketIds: [low.id, high.id] }]
  const weights = selectWeights(store.getState(), groups)
  tell(store, aRowChange(2, { prices: [[0, 3000]], fields: { score: [1, 0] } }))
  tell(store, aRowChange(1, { prices: [[0, 3000]] }))
  expect(select(store.getState())).toBe(before)
  expect(selectWeights(store.getState(), groups)).toBe(weights)
  // The line is no longer offered.
  tell(
    store,
    aRowChange(
      1,
      {
        prices: [
          [0, 1000],
          [1, 1000],
        ],
      },
      2,
    ),
  )
  expect(select(store.getState())?.lines.map(({ marketId }) => marketId)).toEqual([high.id])
})

test('cards fill the column in which less stands', () => {
  expect(inTwoColumns(['a', 'b', 'c', 'd'], [5, 1, 1, 1])).toEqual([['a'], ['b', 'c', 'd']])
})
