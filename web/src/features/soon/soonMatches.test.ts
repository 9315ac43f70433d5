import { expect, it } from 'vitest'
import { loadOffer } from '../../protocol/loadOffer'
import { aColumn, aMarket, aMatch, anOdd, anOffer, aSport } from '../../testing/builders'
import { type Filter, inOrder, keptOrder, soonMatches } from './soonMatches'

const column = (marketType: number) => aColumn({ markets: [{ marketType, status: null, format: '' }] })
const NONE: Filter = { sports: [], hidden: {} }

const point = (id: number) => aMarket({ id, type: 35 })
const game = (id: number) => aMarket({ id, type: 106, sbv: '6' })
const served = { status: 'set_1', scores: [[3, 2]] as const, game: ['15', '0'] as const }
const told = anOffer([
  aSport({
    id: 5,
    preferred: [column(35), column(106)],
    matches: [
      aMatch({ id: 51, order: 2, markets: [point(510), game(511)], ...served }),
      aMatch({ id: 52, order: 1, markets: [point(520)], ...served }),
      aMatch({ id: 53, betting: false, markets: [point(530)], ...served }),
    ],
  }),
  aSport({
    id: 20,
    preferred: [column(106)],
    matches: [
      aMatch({ id: 201, status: 'set_1', scores: [[2, 1]], markets: [aMarket({ id: 2010, type: 106, sbv: '4' })] }),
    ],
  }),
  aSport({
    id: 1,
    preferred: [column(4)],
    matches: [
      aMatch({ id: 11, clock: { kind: 'stopped', seconds: 2750 }, markets: [aMarket({ id: 110, type: 4 })] }),
      aMatch({ id: 12, clock: { kind: 'stopped', seconds: 600 }, markets: [aMarket({ id: 120, type: 4 })] }),
    ],
  }),
])
const offer = loadOffer(told)

const ids = (filter: Partial<Filter>) => soonMatches(offer, { ...NONE, ...filter }, 0).map(({ matchId }) => matchId)

it('lists matches that can be bet on, the soonest first for which there is time to bet', () => {
  expect(soonMatches(offer, NONE, 0)).toEqual([
    { matchId: 11, markets: [{ marketId: 110, minutes: 1 }] },
    {
      matchId: 51,
      markets: [
        { marketId: 511, minutes: 2 },
        { marketId: 510, minutes: 0 },
      ],
    },
    { matchId: 52, markets: [{ marketId: 520, minutes: 0 }] },
    { matchId: 201, markets: [{ marketId: 2010, minutes: 0 }] },
  ])
})

it("translates a provider's markets, and leaves out those that kvota does not have", () => {
  // At the end of the second half: the result, double chance, handicap, total and both score; in the first one type 4.
  const soonOf = (status: string, seconds: number, types: readonly number[]) => {
    const odds = () => [anOdd({ type: '1', alias: '1', description: 'Burnley' })]
    const ofProvider = types.map((type) => aMarket({ id: type, type, odds: odds() }))
    const match = aMatch({ id: 11, status, clock: { kind: 'stopped', seconds }, markets: ofProvider })
    const provided = loadOffer(anOffer([aSport({ preferred: types.map(column), matches: [match] })]))
    return soonMatches(provided, NONE, 0).flatMap((soon) => soon.markets.map(({ marketId }) => marketId))
  }
  expect(soonOf('first_half', 2750, [1, 4, 21, 35])).toEqual([])
  expect(soonOf('second_half', 5400, [1, 2, 4, 10, 16, 18, 19, 29, 60])).toEqual([1, 10, 16, 18, 29])
})

it('leaves out hidden matches and sports that are not chosen', () => {
  expect(ids({ sports: [1] })).toEqual([11])
  expect(ids({ hidden: { 52: true } })).toEqual([11, 51, 201])
})

it('keeps the order while matches come, go and come back', () => {
  const soon = (...matchIds: number[]) => matchIds.map((matchId) => ({ matchId, markets: [] }))
  const first = keptOrder([], soon(1, 2))
  const second = keptOrder(first, soon(3, 2))
  expect(second).toEqual([1, 2, 3])
  expect(inOrder(second, soon(3, 2))).toEqual(soon(2, 3))
  expect(keptOrder(second, soon(3, 1, 2))).toBe(second)
  expect(inOrder(second, soon(3, 1, 2))).toEqual(soon(1, 2, 3))
})
