import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AppStore, makeStore } from '../../app/store'
import { share } from '../../domain/sharing'
import { aColumn, aMarket, aMatch, anOdd, anOffer, aSport, aTotal, aTotalColumn } from '../../testing/builders'
import { storeWith } from '../../testing/renderWithProviders'
import { aRowChange, tell } from '../../testing/tell'
import { feedChanged } from '../connection/connectionSlice'
import { columnChosen, sportFilterToggled } from '../preferences/preferencesSlice'
import { tagSelected } from '../view/viewSlice'
import {
  sameCells,
  selectCells,
  selectColumn,
  selectHasDetail,
  selectIsBettable,
  selectIsHiddenOdd,
  selectMarketGroups,
  selectMoreOdds,
  selectShownGroups,
  selectSportGroups,
  selectSportSummaries,
  selectTagCounts,
} from './offerSelectors'

const result = aMarket({ id: 51, odds: [anOdd({ id: 1, type: '1' }), anOdd({ id: 2, type: '2', value: 900 })] })
const line = (id: number, sbv: string, balanced: boolean) =>
  aTotal(sbv, {
    id,
    balanced,
    odds: [anOdd({ id: id * 10, type: 'Manje' }), anOdd({ id: id * 10 + 1, alias: 'Više' })],
  })
const match = aMatch({ id: 17, order: 2, markets: [result, line(52, '2.5', false), line(53, '3.5', true)] })
const others = [
  aMatch({ id: 18, order: 3, tournament: 'Engleska', tournamentDescription: 'Premier liga' }),
  aMatch({ id: 19, order: 4 }),
  aMatch({ id: 16, order: 4, tournamentDescription: '2. HNL' }),
]
const soccer = aSport({ id: 1, order: 2, matches: [...others, match] })
const tennis = aSport({ id: 5, order: 1, name: 'Tenis', matches: [aMatch({ id: 30 })] })

const offer = (): AppStore => storeWith(anOffer([soccer, tennis, aSport({ id: 9, matches: [] })]))

describe('the list', () => {
  it('is sports by their order, tournaments by their first match, matches by theirs', () => {
    const groups = selectSportGroups(offer().getState())
    expect(groups.map(({ sportId, matchCount }) => [sportId, matchCount])).toEqual([
      [5, 1],
      [1, 4],
    ])
    expect(groups[1]?.tournaments.map(({ name, description, matchIds }) => [name, description, matchIds])).toEqual([
      ['Hrvatska', '1. HNL', [17, 19]],
      ['Engleska', 'Premier liga', [18]],
      ['Hrvatska', '2. HNL', [16]],
    ])
  })

  it('stays the very same when a price or a score changes', () => {
    const store = offer()
    const before = [selectSportGroups, selectShownGroups, selectSportSummaries].map((select) =>
      select(store.getState()),
    )
    tell(store, aRowChange(17, { prices: [[0, 2000]], fields: { score: [1, 0], suspended: true } }))
    const after = [selectSportGroups, selectShownGroups, selectSportSummaries].map((select) => select(store.getState()))
    for (const [index, list] of after.entries()) {
      expect(list).toBe(before[index])
    }
  })

  it('keeps what did not change when a match comes', () => {
    const store = offer()
    const [tennisBefore, soccerBefore] = selectSportGroups(store.getState())
    tell(store, {
      kind: 'match',
      match: aMatch({ id: 40, order: 9, tournament: 'Engleska', tournamentDescription: 'Premier liga' }),
    })
    const [tennisAfter, soccerAfter] = selectSportGroups(store.getState())
    expect(tennisAfter).toBe(tennisBefore)
    expect(soccerAfter?.tournaments[0]).toBe(soccerBefore?.tournaments[0])
    expect(soccerAfter?.tournaments[1]?.matchIds).toEqual([18, 40])
  })

  it('is that of the chosen sports, or of all where none of them is in the offer', () => {
    const store = offer()
    const shown = () => selectShownGroups(store.getState()).map(({ sportId }) => sportId)
    store.dispatch(sportFilterToggled(1))
    expect(shown()).toEqual([1])
    store.dispatch(sportFilterToggled(1))
    store.dispatch(sportFilterToggled(77))
    expect(shown()).toEqual([5, 1])
  })
})

describe('the column of a row', () => {
  const sport = aSport({
    id: 1,
    selectedPreferred: 2,
    preferred: [aColumn({ order: 3, name: 'third' }), aColumn({ order: 9, hidden: true }), aTotalColumn(), aColumn()],
  })
  const orders = (store: AppStore) => ([0, 1] as const).map((slot) => selectColumn(store.getState(), 1, slot)?.order)

  it("is the sport's own, the second the first other one", () => {
    expect(orders(storeWith(anOffer([sport])))).toEqual([2, 1])
    expect(orders(storeWith(anOffer([{ ...sport, selectedPreferred: null }])))).toEqual([1, 2])
    expect(orders(storeWith(anOffer([{ ...sport, selectedPreferred: 9 }])))).toEqual([1, 2])
    expect(orders(storeWith(anOffer([{ ...sport, preferred: [] }])))).toEqual([undefined, undefined])
  })

  it('is the chosen one, for as long as the sport has it', () => {
    const store = storeWith(anOffer([sport]))
    store.dispatch(columnChosen({ sportId: 1, slot: 0, order: 1 }))
    expect(orders(store)).toEqual([1, 2])
    store.dispatch(columnChosen({ sportId: 1, slot: 1, order: 3 }))
    expect(orders(store)).toEqual([1, 3])
    store.dispatch(columnChosen({ sportId: 1, slot: 0, order: 77 }))
    expect(orders(store)).toEqual([2, 3])
  })

  it('shows the odds of its market by type, then by alias', () => {
    const { getState } = offer()
    expect(selectCells(getState(), 17, aTotalColumn())).toEqual({ marketId: 53, sbv: '3.5', oddIds: [530, 531] })
    expect(selectCells(getState(), 17, aColumn())).toEqual({ marketId: 51, sbv: '', oddIds: [1, null, 2] })
    expect(selectCells(getState(), 99, aColumn())).toEqual({ marketId: null, sbv: '', oddIds: [] })
  })

  it('is the same when a price changes', () => {
    const store = offer()
    const before = selectCells(store.getState(), 17, aColumn())
    tell(store, aRowChange(17, { prices: [[0, 2000]] }))
    expect(sameCells(before, selectCells(store.getState(), 17, aColumn()))).toBe(true)
    tell(store, aRowChange(17, { markets: { order: [53], told: [] } }, 2))
    expect(sameCells(before, selectCells(store.getState(), 17, aColumn()))).toBe(false)
  })
})

describe('the detail', () => {
  const corners = aTotal('9.5', { id: 60, type: 70, name: 'Korneri', tags: ['g.Korneri', 'g.Glavno'] })
  const whole = { ...match, markets: [result, line(52, '2.5', false), corners, line(53, '3.5', true)] }
  const opened = () => storeWith(anOffer([soccer]), { opened: [whole] })

  it('is its markets in the order of the feed, the lines of one kind together', () => {
    const { getState } = opened()
    expect(selectHasDetail(getState(), 17)).toBe(true)
    expect(selectMarketGroups(getState(), 17).map(({ name, marketIds }) => [name, marketIds])).toEqual([
      ['Konačan ishod', [51]],
      ['Ukupno golova', [52, 53]],
      ['Korneri', [60]],
    ])
  })

  it('is filtered by a tag', () => {
    const store = opened()
    expect(selectTagCounts(store.getState(), 17)).toEqual([
      { tag: 'group.Glavno', count: 2 },
      { tag: 'group.Golovi', count: 4 },
      { tag: 'g.Korneri', count: 2 },
      { tag: 'g.Glavno', count: 2 },
    ])
    store.dispatch(tagSelected('g.Korneri'))
    expect(selectMarketGroups(store.getState(), 17).map(({ marketIds }) => marketIds)).toEqual([[60]])
  })

  it('stays the very same when a price changes', () => {
    const store = opened()
    const before = [selectMarketGroups(store.getState(), 17), selectTagCounts(store.getState(), 17)]
    tell(store, aRowChange(17, { prices: [[0, 2000]] }))
    expect(selectMarketGroups(store.getState(), 17)).toBe(before[0])
    expect(selectTagCounts(store.getState(), 17)).toBe(before[1])
  })

  it('is not there until it has come', () => {
    const { getState } = offer()
    expect([selectHasDetail(getState(), 17), selectMarketGroups(getState(), 17)]).toEqual([false, []])
  })
})

describe('an odd', () => {
  it('can be bet on while its match can and the feed is active', () => {
    const store = offer()
    expect(selectIsBettable(store.getState(), 17)).toBe(true)
    expect(selectIsBettable(store.getState(), 99)).toBe(false)
    store.dispatch(feedChanged('recovering'))
    expect(selectIsBettable(store.getState(), 17)).toBe(false)
    store.dispatch(feedChanged('active'))
    tell(store, aRowChange(17, { fields: { suspended: true } }))
    expect(selectIsBettable(store.getState(), 17)).toBe(false)
    tell(store, aRowChange(17, { fields: { suspended: false, betting: false } }, 2))
    expect(selectIsBettable(store.getState(), 17)).toBe(false)
  })

  it('is hidden where it has no price among many', () => {
    const { getState } = offer()
    expect([1, 2, 99].map((id) => selectIsHiddenOdd(getState(), 17, id))).toEqual([false, true, true])
    expect(selectIsHiddenOdd(makeStore().getState(), 17, 1)).toBe(true)
  })
})

describe('sharing', () => {
  const value = fc.letrec((tie) => ({
    any: fc.oneof(
      fc.nat(3),
      fc.constantFrom('a', null),
      fc.array(tie('any')),
      fc.dictionary(fc.constantFrom('x', 'y'), tie('any'), { noNullPrototype: true }),
    ),
  })).any

  it('says the same as what it is given, and is the former where both say the same', () => {
    fc.assert(
      fc.property(value, value, (previous, next) => {
        expect(share(previous, next)).toEqual(next)
        expect(share(previous, structuredClone(previous))).toBe(previous)
      }),
    )
  })
})

it.each([
  ['one set', 1, 8],
  ['two sets', 2, 6],
  ['a third set, for which the sport has no column', 3, 6],
])('beyond a row with %s there are all odds of the match that it does not show', (_, sets, more) => {
  const markets = [
    aMarket(),
    aTotal('1.5'),
    aTotal('2.5', { balanced: true }),
    aTotal('3.5'),
    aMarket({ type: 99, odds: [anOdd(), anOdd()] }),
  ]
  const preferred = [aColumn(), aTotalColumn()]
  const store = storeWith(anOffer([aSport({ matches: [aMatch({ id: 17, markets })], preferred })]))
  expect(selectMoreOdds(store.getState(), 17, sets)).toBe(more)
})
