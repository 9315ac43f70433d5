import { describe, expect, it } from 'vitest'
import { aColumn } from '../testing/builders'
import { formatSbv, offeredColumns, rowMarketIds, shownMarket, shownOdd, shownSbv } from './columns'

const market = (id: number, type: number, balanced: boolean | null = null) => ({ id, type, balanced })

describe('the market a column shows', () => {
  const markets = [market(1, 1), market(2, 18), market(3, 18, true), market(4, 18, true), market(5, 29, false)]
  const entry = (marketType: number, status: string | null) => ({ marketType, status, format: '' })

  it.each([
    ['the balanced line of the type', [entry(18, null)], 'first_half', 3],
    ['the first line where none is balanced', [entry(29, null)], 'first_half', 5],
    ['none where there is none of the type', [entry(99, null)], 'first_half', undefined],
    ['none without an entry', [], 'first_half', undefined],
    ['that of the first entry whose status is empty', [entry(1, ''), entry(18, 'first_half')], 'first_half', 1],
    ["that of the first entry whose status is the match's", [entry(29, 'set_1'), entry(1, null)], 'set_1', 5],
    ['none where no entry fits', [entry(1, 'set_1')], 'set_2', undefined],
    ['that without a status for a match without one', [entry(29, 'set_1'), entry(1, null)], null, 1],
  ])('is %s', (_, entries, status, expected) => {
    expect(shownMarket(aColumn({ markets: entries }), status, markets)?.id).toBe(expected)
  })

  it('does not fall through to a later entry', () => {
    const column = aColumn({ markets: [entry(99, null), entry(1, null)] })
    expect(shownMarket(column, 'first_half', markets)).toBeUndefined()
  })

  it('makes the row, each once and in the order of the feed', () => {
    const columns = [
      aColumn({ markets: [entry(29, null)] }),
      aColumn({ markets: [entry(18, null)], hidden: true }),
      aColumn({ markets: [entry(18, null)] }),
    ]
    expect(rowMarketIds(columns, 'first_half', markets)).toEqual([3, 5])
  })
})

describe('the odd a field shows', () => {
  const odds = [
    { type: '2', alias: '1' },
    { type: '1', alias: null },
    { type: null, alias: 'X' },
  ]

  it.each([
    ['1', 1],
    ['2', 0],
    ['X', 2],
    ['12', -1],
  ])('%s', (field, expected) => {
    expect(odds.indexOf(shownOdd(field, odds) as (typeof odds)[number])).toBe(expected)
  })
})

describe('a line beside the odds', () => {
  it.each([
    ['', '2.5', ''],
    [null, '2.5', ''],
    ['{sbv}', '2.5', '2.5'],
    ['{sbv}', '-1', '-1'],
    ['{+sbv}', '1.5', '+1.5'],
    ['{+sbv}', '+1.5', '+1.5'],
    ['{+sbv}', '-1.5', '-1.5'],
    ['{+sbv}', '0', '0'],
    ['{+sbv}', '+0', '0'],
    ['{+sbv}', '1.5/2', '+1.5/2'],
    ['{+sbv}', '21-30', '21-30'],
    ['{sbv}', 'sr:exact_goals:6+', ''],
    ['({sbv})', 'sr:player:947/2.5', '(2.5)'],
    ['{+sbv}', '0:1', '0:1'],
    ['({sbv})', '2.5', '(2.5)'],
    ['{sbv}', null, ''],
  ])('%s of %s: %s', (format, sbv, expected) => {
    expect(formatSbv(format, sbv)).toBe(expected)
  })

  it('is that of the entry which counts', () => {
    const markets = [
      { marketType: 16, status: 'set_1', format: '{+sbv}' },
      { marketType: 18, status: null, format: '{sbv}' },
    ]
    expect(shownSbv(aColumn({ markets }), 'set_1', { sbv: '1.5' })).toBe('+1.5')
    expect(shownSbv(aColumn({ markets }), 'set_2', { sbv: '1.5' })).toBe('1.5')
  })
})

it('the selector offers the columns that are not hidden, by their order', () => {
  const columns = [aColumn({ order: 3 }), aColumn({ order: 2, hidden: true }), aColumn({ order: 1 })]
  expect(offeredColumns(columns).map(({ order }) => order)).toEqual([1, 3])
})
