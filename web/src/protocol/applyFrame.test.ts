import { describe, expect, it } from 'vitest'
import { EMPTY_OFFER, type Offer } from '../domain/offer'
import { applyChanges } from '../domain/offerChanges'
import { lookup } from '../domain/table'
import { aMarket, aMatch, anOdd, anOffer, aSport, aTotal } from '../testing/builders'
import { type Applied, applyMessages, checkSum, forgetDetail } from './applyFrame'
import type { OfferMessage, PartChange } from './frames'
import { carryDetail, loadOffer, matchMessages } from './loadOffer'

const NOTHING: PartChange = {
  markets: null,
  prices: [],
  marks: [],
  values: [],
  fields: {},
  layout: null,
  ball: undefined,
}

const result = aMarket({
  id: 51,
  odds: [anOdd({ id: 1, type: '1', value: 1850 }), anOdd({ id: 2, type: 'X', value: 3200 })],
})
const total = aTotal('2.5', { id: 52, odds: [anOdd({ id: 3, type: 'Manje' }), anOdd({ id: 4, type: 'Više' })] })
const corners = aTotal('9.5', { id: 53, type: 70, odds: [anOdd({ id: 5 }), anOdd({ id: 6 })] })
const match = aMatch({ id: 17, markets: [result, total], rowRevision: 8, detailRevision: 4 })
const whole = { ...match, markets: [result, corners, total] }
const WATCHED = new Set([17])

function loaded(): Offer {
  return loadOffer(anOffer([aSport({ id: 1, matches: [match] })]))
}

function opened(): Offer {
  const offer = loaded()
  return applyChanges(offer, applyMessages(offer, matchMessages(offer, whole), WATCHED).changes)
}

function row(follows: number, change: Partial<PartChange>): OfferMessage {
  return { kind: 'rowChange', matchId: 17, follows, change: { ...NOTHING, ...change } }
}

function detail(follows: number, change: Partial<PartChange>): OfferMessage {
  return { kind: 'detailChange', matchId: 17, follows, change: { ...NOTHING, ...change } }
}

function receive(offer: Offer, messages: OfferMessage[]): Applied & { offer: Offer } {
  const applied = applyMessages(offer, messages, WATCHED)
  return { ...applied, offer: applyChanges(offer, applied.changes) }
}

const priceOf = (offer: Offer, id: number) => lookup(offer.odds, id)?.value
const marksOf = (offer: Offer) => lookup(offer.parts, 17)?.row.marks
const revisionOf = (offer: Offer) => lookup(offer.parts, 17)?.row.revision

describe('a change', () => {
  it('of a price marks the odd and touches nothing else', () => {
    const before = loaded()
    const { offer, movements, resync } = receive(before, [row(8, { prices: [[3, 2100]] })])
    expect(priceOf(offer, 4)).toBe(2100)
    expect(movements).toEqual([[4, 1]])
    expect(marksOf(offer)).toEqual({ 4: 1 })
    expect(revisionOf(offer)).toBe(9)
    expect(resync).toEqual([])
    expect(offer.matches).toBe(before.matches)
    expect(offer.markets).toBe(before.markets)
    expect(lookup(offer.odds, 1)).toBe(lookup(before.odds, 1))
  })

  it('takes the marks of the part back first', () => {
    const { offer, movements } = receive(loaded(), [row(8, { prices: [[0, 1700]] }), row(9, { prices: [[1, 3200]] })])
    expect(marksOf(offer)).toEqual({})
    expect(movements).toEqual([[1, -1]])
  })

  it('may mark an odd otherwise than its price says', () => {
    const change = {
      prices: [[0, 1900]],
      marks: [
        [0, 0],
        [1, -1],
      ],
    } as const // prettier-ignore
    expect(marksOf(receive(loaded(), [row(8, change)]).offer)).toEqual({ 2: -1 })
  })

  it('of a revision already had is ignored', () => {
    const { offer, resync } = receive(loaded(), [row(8, { prices: [[0, 1900]] }), row(8, { prices: [[0, 1900]] })])
    expect([revisionOf(offer), priceOf(offer, 1), resync]).toEqual([9, 1900, []])
  })

  it('that follows a later revision shows a gap, and is not applied', () => {
    const { offer, resync } = receive(loaded(), [row(9, { prices: [[0, 1900]] })])
    expect([revisionOf(offer), priceOf(offer, 1), resync]).toEqual([8, 1850, [17]])
  })

  it('of a match that is not held asks for it', () => {
    expect(receive(EMPTY_OFFER, [row(8, {})]).resync).toEqual([17])
  })

  it('that names what is not there asks for the match', () => {
    expect(receive(loaded(), [row(8, { prices: [[9, 1900]] })]).resync).toEqual([17])
    expect(receive(loaded(), [row(8, { markets: { order: [51, 99], told: [] } })]).resync).toEqual([17])
    expect(receive(loaded(), [row(8, { markets: { order: null, told: [aMarket({ id: 99 })] } })]).resync).toEqual([17])
  })

  it('of markets is made before prices take their places', () => {
    const change = { markets: { order: [52], told: [] }, prices: [[0, 2000]] } as const
    const { offer } = receive(loaded(), [row(8, change)])
    expect(priceOf(offer, 3)).toBe(2000)
    expect([lookup(offer.markets, 51), priceOf(offer, 1)]).toEqual([undefined, undefined])
    expect(lookup(offer.matches, 17)?.rowMarketIds).toEqual([52])
  })

  it('of a market told whole drops the odds it lost', () => {
    const told = { ...result, odds: [anOdd({ id: 1, value: 1500, changed: -1 })] }
    const { offer, movements } = receive(loaded(), [row(8, { markets: { order: null, told: [told] } })])
    expect([priceOf(offer, 1), priceOf(offer, 2)]).toEqual([1500, undefined])
    expect(movements).toEqual([[1, -1]])
  })

  it('of the status of a market keeps its prices, and the other markets the same objects', () => {
    const before = loaded()
    const told = { ...result, isSuspended: true }
    const suspended = receive(before, [row(8, { markets: { order: null, told: [told] } })])
    expect(suspended.resync).toEqual([])
    expect(suspended.movements).toEqual([])
    expect(lookup(suspended.offer.markets, 51)).toMatchObject({ isSuspended: true, oddIds: [1, 2] })
    expect([priceOf(suspended.offer, 1), priceOf(suspended.offer, 2)]).toEqual([1850, 3200])
    expect(lookup(suspended.offer.markets, 52)).toBe(lookup(before.markets, 52))
    expect(lookup(suspended.offer.odds, 1)).toBe(lookup(before.odds, 1))
    const open = receive(suspended.offer, [
      row(9, { markets: { order: null, told: [result] }, prices: [[1, 3300]] }),
    ]).offer
    expect(lookup(open.markets, 51)?.isSuspended).toBe(false)
    expect(priceOf(open, 2)).toBe(3300)
  })

  it('of the status of a market of the detail is one of that market', () => {
    const told = { ...corners, isSuspended: true }
    const { offer, resync } = receive(opened(), [detail(4, { markets: { order: null, told: [told] } })])
    expect(resync).toEqual([])
    expect([51, 52, 53].map((id) => lookup(offer.markets, id)?.isSuspended)).toEqual([false, false, true])
  })

  it('of fields is one of the match', () => {
    const { offer } = receive(loaded(), [row(8, { fields: { score: [1, 0], suspended: true } })])
    expect(lookup(offer.matches, 17)).toMatchObject({ score: [1, 0], suspended: true, home: 'Dinamo Zagreb' })
  })
})

describe('the detail', () => {
  it('of an opened match is all markets but those of the row', () => {
    expect(lookup(opened().matches, 17)).toMatchObject({
      rowMarketIds: [51, 52],
      detailMarketIds: [53],
      layout: [51, 53, 52],
    })
  })

  it('counts its own revisions and places', () => {
    const { offer } = receive(opened(), [detail(4, { prices: [[1, 2200]] }), row(8, { prices: [[1, 3300]] })])
    expect([priceOf(offer, 6), priceOf(offer, 2)]).toEqual([2200, 3300])
    expect(lookup(offer.parts, 17)).toMatchObject({ row: { revision: 9 }, detail: { revision: 5 } })
  })

  it('keeps a market that comes over from the row, in whichever order both are told', () => {
    const leaves = row(8, { markets: { order: [51], told: [] } })
    const comes = detail(4, { markets: { order: [53, 52], told: [total] }, layout: [51, 53, 52] })
    for (const messages of [
      [leaves, comes],
      [comes, leaves],
    ]) {
      const { offer } = receive(opened(), messages)
      expect(lookup(offer.matches, 17)).toMatchObject({ rowMarketIds: [51], detailMarketIds: [53, 52] })
      expect(priceOf(offer, 3)).toBe(1850)
    }
  })

  it('is not taken where nobody watches it', () => {
    const offer = loaded()
    const applied = applyMessages(offer, [...matchMessages(offer, whole), detail(4, { prices: [[0, 2000]] })])
    expect(lookup(applyChanges(offer, applied.changes).matches, 17)?.layout).toBe(null)
  })

  it('is forgotten when the match is closed', () => {
    const held = opened()
    const offer = applyChanges(held, forgetDetail(held, 17))
    expect(lookup(offer.matches, 17)).toEqual(lookup(loaded().matches, 17))
    expect([lookup(offer.markets, 53), priceOf(offer, 5), priceOf(offer, 1)]).toEqual([undefined, undefined, 1850])
  })

  it('is carried over to an offer that came anew, unless it is of yesterday', () => {
    expect(lookup(carryDetail(opened(), loaded(), 17).matches, 17)).toEqual(lookup(opened().matches, 17))
    const moved = loadOffer(anOffer([aSport({ id: 1, matches: [{ ...match, markets: [result, corners] }] })]))
    expect(carryDetail(opened(), moved, 17)).toBe(moved)
  })
})

describe('a match told whole', () => {
  it('of a lower revision is ignored, of the same replaces', () => {
    const told = (rowRevision: number): OfferMessage => ({
      kind: 'match',
      match: { ...match, rowRevision, home: `revision ${rowRevision}` },
    })
    expect(lookup(receive(loaded(), [told(7)]).offer.matches, 17)?.home).toBe('Dinamo Zagreb')
    expect(lookup(receive(loaded(), [told(8)]).offer.matches, 17)?.home).toBe('revision 8')
  })

  it('shows the prices that are not those held, and none of a match just come', () => {
    const told = { ...match, rowRevision: 9, markets: [{ ...result, odds: [anOdd({ id: 1, value: 1500 })] }] }
    expect(receive(loaded(), [{ kind: 'match', match: told }]).movements).toEqual([[1, -1]])
    expect(receive(loaded(), [{ kind: 'match', match: aMatch() }]).movements).toEqual([])
  })

  it('heals a gap seen before it', () => {
    const { offer, resync } = receive(loaded(), [row(9, {}), { kind: 'match', match: { ...match, rowRevision: 10 } }])
    expect([revisionOf(offer), resync]).toEqual([10, []])
  })

  it('of an unknown sport asks for everything, unless the sport follows', () => {
    const told: OfferMessage = { kind: 'match', match: aMatch({ sportId: 5 }) }
    const { matches: _, ...tennis } = aSport({ id: 5 })
    expect(receive(loaded(), [told]).resyncAll).toBe(true)
    expect(receive(loaded(), [told, { kind: 'sport', sport: tennis, matchIds: null }]).resyncAll).toBe(false)
  })
})

describe('what leaves', () => {
  it('a match, with all that is its own', () => {
    const { offer, deletedMatches } = receive(opened(), [{ kind: 'matchDeleted', matchId: 17 }])
    expect(deletedMatches).toEqual([{ id: 17, sportId: 1, home: 'Dinamo Zagreb', away: 'Hajduk Split' }])
    expect([offer.matches.size, offer.markets.size, offer.odds.size, offer.parts.size]).toEqual([0, 0, 0, 0])
  })

  it('a sport, with matches that were left', () => {
    const { offer, deletedMatches } = receive(loaded(), [{ kind: 'sportRemoved', sportId: 1 }])
    expect([offer.sports.size, offer.matches.size, deletedMatches.length]).toEqual([0, 0, 1])
  })

  it('whatever a sport told with its matches does not name', () => {
    const { matches: _, ...sport } = aSport({ id: 1 })
    const told = (matchIds: number[]): OfferMessage[] => [{ kind: 'sport', sport, matchIds }]
    expect(receive(loaded(), told([17, 18])).deletedMatches).toEqual([])
    expect(receive(loaded(), told([18])).deletedMatches).toMatchObject([{ id: 17 }])
  })

  it('an unknown match is nothing', () => {
    expect(receive(loaded(), [{ kind: 'matchDeleted', matchId: 99 }]).deletedMatches).toEqual([])
  })
})

describe('a check', () => {
  const sportCheck = (matches: number, sum: number): OfferMessage => ({ kind: 'sportCheck', sportId: 1, matches, sum })

  it.each([
    [1, checkSum([[17, 8]]), false],
    [1, checkSum([[17, 9]]), true],
    [1, checkSum([[18, 8]]), true],
    [2, checkSum([[17, 8]]), true],
  ])('of the sport with %i matches of the sum %i: resync of all is %s', (matches, sum, expected) => {
    expect(receive(loaded(), [sportCheck(matches, sum)]).resyncAll).toBe(expected)
  })

  it.each<[[number, number][], bigint]>([
    [[[17, 8]], 17n * 2_654_435_761n + 8n],
    [
      [
        [2 ** 53 - 1, 2 ** 32 - 1],
        [2 ** 40 + 5, 7],
      ],
      (2n ** 53n - 1n + 2n ** 40n + 5n) * 2_654_435_761n + 2n ** 32n + 6n,
    ],
  ])('sum of %j is exact', (matches, sum) => {
    expect(BigInt(checkSum(matches))).toBe(sum % 2n ** 32n)
  })

  it.each([
    [8, 4, []],
    [9, 4, [17]],
    [8, 5, [17]],
  ])('of the match with revisions %i and %i: resync %j', (rowRevision, detailRevision, expected) => {
    const check: OfferMessage = { kind: 'matchCheck', matchId: 17, rowRevision, detailRevision }
    expect(receive(opened(), [check]).resync).toEqual(expected)
  })
})

it('goals and dates are passed on', () => {
  const applied = receive(loaded(), [
    { kind: 'goal', matchId: 17, side: 2 },
    { kind: 'goal', matchId: 99, side: 1 },
    { kind: 'date', dateMs: 5 },
    { kind: 'date', dateMs: 4 },
  ])
  expect([applied.goals, applied.dateMs]).toEqual([[{ matchId: 17, side: 2 }], 5])
})
