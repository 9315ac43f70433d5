import { describe, expect, it } from 'vitest'
import { readBet } from '../protocol/readBets'
import { aToldBet, aToldPair } from '../testing/betBuilders'
import { delayOf, factorNow, fairValue, largestPart, leastNet, paidForShare, restAfter, shareText } from './cashOut'

/** The contract's example: standard 3.00, bruto 10, now 1.80. */
const VALUE = { value: '15.04', winTax: '0.55', net: '14.49', reasons: [] }

describe('a share', () => {
  it.each([
    [100, '1'],
    [50, '0.50'],
    [5, '0.05'],
  ])('of %i percent is sent as %s', (percent, text) => {
    expect(shareText(percent)).toBe(text)
  })

  it.each([
    [VALUE, 100, '14.49'],
    // round2(7.52) - round2(0.275)
    [VALUE, 50, '7.24'],
    // The net value is limited to the stake.
    [{ ...VALUE, net: '10.00' }, 50, '5.00'],
    [{ ...VALUE, net: null }, 50, null],
  ])('of %j, %i percent, pays %s', (value, percent, paid) => {
    expect(paidForShare(value, percent)).toBe(paid)
  })

  it.each([
    ['14.49', 2, '14.21'],
    ['10.00', 2, '9.80'],
    ['0.10', 2, '0.10'],
    ['14.49', 0, '14.49'],
  ])('of %s may fall by %i percent to %s, not to less', (net, percent, least) => {
    expect(leastNet(net, percent)).toBe(least)
  })

  it('leaves the rest of both stakes', () => {
    expect(restAfter({ bruto: '10.00', taxedStake: '9.50' }, 75)).toEqual({ bruto: '2.50', taxedStake: '2.37' })
    expect(restAfter({ bruto: '10.00', taxedStake: '9.50' }, 100)).toEqual({ bruto: '0.00', taxedStake: '0.00' })
  })

  it.each([
    ['10.00', 90],
    ['100.00', 95],
    ['1.04', null],
    ['2.00', 50],
  ])('of a stake of %s is at most %j percent', (bruto, most) => {
    expect(largestPart({ bruto, taxedStake: bruto }, '1.00')).toBe(most)
  })
})

describe('the calculation of the value', () => {
  it('has the value without margin', () => {
    expect(fairValue('15.04', '5')).toBe('15.83')
    expect(fairValue('15.04', '0')).toBe('15.04')
  })

  it('counts a pair by its factor, or by the odd taken over the odd now', () => {
    const [open, won] = readBet(
      aToldBet('A', { pairs: [aToldPair({ oddValue: 3 }), aToldPair({ result: 'won', factor: '1.85' })] }),
    ).pairs as [never, never]
    expect([factorNow(open, 1800), factorNow(open, null), factorNow(won, 1000)]).toEqual(['1.667', null, '1.85'])
  })

  it('waits for the slowest sport of the pairs that are not decided', () => {
    const pairs = [
      aToldPair({ sportId: 5 }),
      aToldPair({ sportId: 9 }),
      aToldPair({ sportId: 2, result: 'won', factor: '1.85' }),
    ]
    expect(delayOf(readBet(aToldBet('A', { pairs })), { 2: 60, 5: 8, default: 5 })).toBe(8)
    expect(delayOf(readBet(aToldBet('A')), {})).toBe(0)
  })
})
