import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { aPair } from '../../testing/ticketBuilders'
import { DEFAULT_RULES, type TicketRules } from './rules'
import { cleanStake, readStake, stakeText, stepStake } from './stake'
import { EMPTY_CHOICE, freePairs, type TicketChoice, type TicketWish, withWish } from './ticket'
import { builderCode, totals } from './totals'

const GOLDEN = join(import.meta.dirname, '../../../../tests/golden/ticket')

function golden<T>(name: string): T[] {
  return JSON.parse(readFileSync(join(GOLDEN, name), 'utf8')) as T[]
}

interface TotalsVector {
  name: string
  rules: {
    tax: { type: 'stake' | 'win'; from: number; to: number | null; percentage: number }[]
    limits: Record<'minStake' | 'maxStake' | 'maxPayout' | 'maxTotalOdd', number> &
      Pick<TicketRules, 'winTaxMode' | 'taxableWin'>
  }
  ticket: {
    type: 0 | 1
    stake: string
    selectedSystemCombinations: number | null
    pairs: { oddValue: number; isFix: boolean }[]
  }
  totals: Record<string, unknown> & { systemCombinations: { combinationValue: number; count: number }[] }
}

describe('the totals of the golden vectors', () => {
  it.each(golden<TotalsVector>('totals.json'))('$name', ({ rules: { tax, limits }, ticket, totals: expected }) => {
    const choice: TicketChoice = {
      ...EMPTY_CHOICE,
      type: ticket.type,
      stake: ticket.stake,
      combination: ticket.selectedSystemCombinations,
      pairs: ticket.pairs.map(({ oddValue, isFix }) => aPair({ oddValue: Math.round(oddValue * 1000), isFix })),
    }
    const rules: TicketRules = {
      tax: tax.map(({ type, from, to, percentage }) => ({
        type,
        from: String(from),
        to: to === null ? null : String(to),
        percentage: String(percentage),
      })),
      minStake: String(limits.minStake),
      maxStake: String(limits.maxStake),
      maxPayout: String(limits.maxPayout),
      maxTotalOdd: String(limits.maxTotalOdd),
      winTaxMode: limits.winTaxMode,
      taxableWin: limits.taxableWin,
    }
    const { numberOfMatches, systemCombinations, ...rest } = expected
    expect(totals(choice, rules)).toEqual({
      ...rest,
      systemCombinations: systemCombinations.map(({ combinationValue, count }) => ({ value: combinationValue, count })),
    })
    expect(choice.pairs.length).toBe(numberOfMatches)
  })
})

it('the odd of a system is the sum over its combinations', () => {
  const odd = fc.integer({ min: 1001, max: 20_000 })
  fc.assert(
    fc.property(fc.array(odd, { minLength: 2, maxLength: 8 }), fc.nat(), (odds, draw) => {
      const k = 1 + (draw % (odds.length - 1))
      const pairs = odds.map((oddValue) => aPair({ oddValue }))
      const all = subsets(odds, k)
      const sum = all.reduce((result, subset) => result + subset.reduce((a, b) => a * BigInt(b), 1n), 0n)
      const rules = { ...DEFAULT_RULES, maxTotalOdd: `1${'0'.repeat(40)}` }
      const told = totals({ ...EMPTY_CHOICE, type: 1, pairs, combination: k }, rules)
      expect(unscaled(told.totalOdd, 3 * k)).toBe(sum)
      expect(told.numberOfOdds).toBe(all.length)
    }),
  )
})

function subsets(items: readonly number[], k: number): number[][] {
  if (k === 0) {
    return [[]]
  }
  return items.flatMap((item, place) => subsets(items.slice(place + 1), k - 1).map((rest) => [item, ...rest]))
}

function unscaled(text: string, places: number): bigint {
  const [whole = '', decimals = ''] = text.split('.')
  return BigInt(whole + decimals.padEnd(places, '0'))
}

describe('a stake', () => {
  it.each(golden<{ text: string; stake: string | null }>('stakes.json'))('of "$text" is $stake', ({ text, stake }) => {
    expect(readStake(text)).toBe(stake)
  })

  it.each([
    ['1 000', '1000'],
    ['12,345', '12,34'],
    ['1.2.3', '1.23'],
    ['a5b', '5'],
    [',5', ',5'],
    ['5,', '5,'],
    ['', ''],
    ['1,2.', '1,2'],
    ['1,000', '1,00'],
    ['1.000,50', '1000,50'],
    ['1,000.50', '1000.50'],
    ['1.000,5', '1000,5'],
    ['1.000,', '1000,'],
    ['12.345.678', '12345678'],
    ['1.234.567,891', '1234567,89'],
    ['1.000,50 €', '1000,50'],
    ['1000.000,50', '1000.00'],
    ['1.00,50', '1.00'],
  ])('typed as "%s" stands in the field as "%s"', (typed, shown) => {
    expect(stakeText(typed)).toBe(shown)
  })

  it.each([
    ['12,34', null],
    [' 12 ', null],
    ['', null],
    ['12,345', 'cut'],
    ['a5b', 'cleaned'],
    ['1.2.3', 'cleaned'],
    ['1.000,50', 'cleaned'],
    ['5 €', 'cleaned'],
    ['1 000,505', 'cleaned'],
  ] as const)('typed as "%s" is %s', (typed, change) => {
    expect(cleanStake(typed).change).toBe(change)
  })

  it.each([
    ['10.00', 1, '11.00'],
    ['10.50', -1, '9.50'],
    ['1.50', -1, '1.00'],
    ['1.00', -1, '1.00'],
    ['999999.50', 1, '1000000.00'],
  ] as const)('of %s goes by %i to %s', (stake, step, expected) => {
    expect(stepStake(stake, step)).toBe(expected)
  })
})

describe('a wish', () => {
  const one = aPair({ matchId: 1, oddId: 11 })
  const two = aPair({ matchId: 2, oddId: 21 })
  const three = aPair({ matchId: 3, oddId: 31 })
  const held: TicketChoice = { ...EMPTY_CHOICE, type: 1, pairs: [one, two, three], combination: 2 }

  it('for another odd of a match is fulfilled in its place, as fixed as before', () => {
    const fixed = withWish(held, { wish: 'fix', matchId: 2, on: true })
    const other = aPair({ matchId: 2, oddId: 22 })
    expect(withWish(fixed, { wish: 'pick', pair: other }).pairs).toEqual([one, { ...other, isFix: true }, three])
  })

  it('that leaves fewer free pairs than the combination needs unselects it', () => {
    expect(withWish(held, { wish: 'drop', matchId: 1 })).toMatchObject({ pairs: [two, three], combination: null })
    expect(withWish(held, { wish: 'fix', matchId: 1, on: true }).combination).toBe(null)
    expect(withWish({ ...held, combination: 1 }, { wish: 'drop', matchId: 1 }).combination).toBe(1)
  })

  it('for a combination that does not exist chooses none', () => {
    expect(withWish(held, { wish: 'combination', k: 3 }).combination).toBe(null)
  })

  it('that is true already leaves the very same ticket', () => {
    const wishes: TicketWish[] = [
      { wish: 'pick', pair: { ...one, oddValue: 9000 } },
      { wish: 'drop', matchId: 9 },
      { wish: 'fix', matchId: 1, on: false },
      { wish: 'type', type: 1 },
      { wish: 'combination', k: 2 },
      { wish: 'stake', text: '1', stake: '1.00' },
      { wish: 'consent', consent: 'higher' },
    ]
    for (const wish of wishes) {
      expect(withWish(held, wish)).toBe(held)
    }
  })

  it('said twice does what it does said once', () => {
    const matchId = fc.integer({ min: 1, max: 4 })
    const wish: fc.Arbitrary<TicketWish> = fc.oneof(
      fc
        .record({ matchId, oddId: fc.integer({ min: 1, max: 9 }) })
        .map((ids): TicketWish => ({ wish: 'pick', pair: aPair(ids) })),
      matchId.map((id): TicketWish => ({ wish: 'drop', matchId: id })),
      fc.tuple(matchId, fc.boolean()).map(([id, on]): TicketWish => ({ wish: 'fix', matchId: id, on })),
      fc.option(matchId, { nil: null }).map((k): TicketWish => ({ wish: 'combination', k })),
      fc.constant<TicketWish>({ wish: 'clear' }),
    )
    fc.assert(
      fc.property(fc.array(wish, { maxLength: 12 }), wish, (before, last) => {
        const ticket = before.reduce<TicketChoice>(withWish, { ...EMPTY_CHOICE, type: 1 })
        const once = withWish(ticket, last)
        expect(withWish(once, last)).toEqual(once)
        expect(new Set(once.pairs.map((each) => each.matchId)).size).toBe(once.pairs.length)
        expect(once.combination === null || once.combination < freePairs(once)).toBe(true)
      }),
    )
  })
})

describe('the builder code', () => {
  const pairs = [aPair({}), aPair({})]
  it.each<[string, Partial<TicketChoice>, 0 | 1 | 2 | null]>([
    ['an empty system', { type: 1 }, 2],
    ['a pair that cannot be bet on, and no combination', { type: 1, pairs: [aPair({ canBet: false }), aPair({})] }, 1],
    ['no combination', { type: 1, pairs }, 0],
    ['a combination', { type: 1, pairs, combination: 1 }, null],
    ['a standard ticket', { pairs }, null],
  ])('of %s', (_, ticket, code) => {
    expect(builderCode({ ...EMPTY_CHOICE, ...ticket })).toBe(code)
  })
})
