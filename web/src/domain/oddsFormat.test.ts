import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatOdd, isHiddenOdd, ODDS_FORMATS, type OddsFormat } from './oddsFormat'

describe('an odd is written', () => {
  const rows: [value: number, ...texts: string[]][] = [
    // value, decimal, fractional, american, hongKong, indonesian, malay
    [0, '-', '-', '-', '-', '-', '-'],
    [999, '-', '-', '-', '-', '-', '-'],
    [1000, '1.00', '-', '-', '-', '-', '-'],
    [1001, '1.00', '1/100', '-100000', '0.00', '-1000.00', '0.00'],
    [1005, '1.01', '1/100', '-20000', '0.01', '-200.00', '0.01'],
    [1010, '1.01', '1/100', '-10000', '0.01', '-100.00', '0.01'],
    [1015, '1.02', '1/100', '-6667', '0.02', '-66.67', '0.02'],
    [1016, '1.02', '1/50', '-6250', '0.02', '-62.50', '0.02'],
    [1280, '1.28', '2/7', '-357', '0.28', '-3.57', '0.28'],
    [1500, '1.50', '1/2', '-200', '0.50', '-2.00', '0.50'],
    [1666, '1.67', '4/6', '-150', '0.67', '-1.50', '0.67'],
    [1850, '1.85', '5/6', '-118', '0.85', '-1.18', '0.85'],
    [1995, '2.00', '1/1', '-101', '1.00', '-1.01', '1.00'],
    [2000, '2.00', '1/1', '+100', '1.00', '1.00', '1.00'],
    [2001, '2.00', '1/1', '+100', '1.00', '1.00', '-1.00'],
    [2050, '2.05', '1/1', '+105', '1.05', '1.05', '-0.95'],
    [2051, '2.05', '11/10', '+105', '1.05', '1.05', '-0.95'],
    [2150, '2.15', '11/10', '+115', '1.15', '1.15', '-0.87'],
    [3500, '3.50', '5/2', '+250', '2.50', '2.50', '-0.40'],
    [4335, '4.34', '10/3', '+334', '3.34', '3.34', '-0.30'],
    [9995, '10.00', '9/1', '+900', '9.00', '9.00', '-0.11'],
    [10_000, '10.0', '9/1', '+900', '9.00', '9.00', '-0.11'],
    [10_049, '10.0', '9/1', '+905', '9.05', '9.05', '-0.11'],
    [10_050, '10.1', '9/1', '+905', '9.05', '9.05', '-0.11'],
    [11_500, '11.5', '10/1', '+1050', '10.50', '10.50', '-0.10'],
    [99_950, '100.0', '100/1', '+9895', '98.95', '98.95', '-0.01'],
    [100_000, '100', '100/1', '+9900', '99.00', '99.00', '-0.01'],
    [126_500, '127', '125/1', '+12550', '125.50', '125.50', '-0.01'],
    [876_000, '876', '750/1', '+87500', '875.00', '875.00', '-0.00'],
    [1_001_500, '1002', '1000/1', '+100050', '1000.50', '1000.50', '-0.00'],
    [1_001_501, '1002', '1001/1', '+100050', '1000.50', '1000.50', '-0.00'],
    [1_002_500, '1003', '1001/1', '+100150', '1001.50', '1001.50', '-0.00'],
    [100_000_000, '100000', '99999/1', '+9999900', '99999.00', '99999.00', '-0.00'],
  ]
  for (const [value, ...texts] of rows) {
    for (const [index, text] of texts.entries()) {
      const format = ODDS_FORMATS[index] as OddsFormat
      it(`${value} thousandths, ${format}: ${text}`, () => {
        expect(formatOdd(value, format)).toBe(text)
      })
    }
  }
})

describe("the feed's own texts", () => {
  it.each<[texts: (string | null)[] | null, format: OddsFormat, expected: string]>([
    [['1.85', '17/20'], 'decimal', '1.85'],
    [['1.85', '17/20'], 'fractional', '17/20'],
    [['1.85', '17/20'], 'american', '-118'],
    [['1.85', null], 'fractional', '5/6'],
    [['1.85', ''], 'fractional', '5/6'],
    [null, 'fractional', '5/6'],
  ])('%j as %s: %s', (texts, format, expected) => {
    expect(formatOdd(1850, format, texts)).toBe(expected)
  })

  it('are not shown for what is not offered', () => {
    expect(formatOdd(0, 'decimal', ['0.00'])).toBe('-')
  })
})

describe('an odd is hidden', () => {
  it.each([
    [6, 1000, true],
    [6, 0, true],
    [6, 1001, false],
    [5, 1000, false],
    [5, 0, false],
  ])('in a match of %i odds with the value %i: %s', (numberOfOdds, value, expected) => {
    expect(isHiddenOdd(value, numberOfOdds)).toBe(expected)
  })
})

describe('for any price', () => {
  const price = fc.integer({ min: 1001, max: 100_000_000 })

  it('the decimal text is within half of its last digit', () => {
    fc.assert(
      fc.property(price, (value) => {
        const text = formatOdd(value, 'decimal')
        const decimals = text.includes('.') ? (text.split('.')[1] ?? '').length : 0
        expect(Math.abs(Number(text) * 1000 - value)).toBeLessThanOrEqual(500 / 10 ** decimals + 1e-6)
      }),
    )
  })

  it('no step of the ladder is nearer than the one shown', () => {
    const steps = (text: string) => {
      const [above, below] = text.split('/').map(Number) as [number, number]
      return above / below
    }
    const shown = new Set(Array.from({ length: 120_000 }, (_, index) => formatOdd(1001 + index, 'fractional')))
    const ladder = [...shown].map(steps)
    fc.assert(
      fc.property(fc.integer({ min: 1001, max: 100_000 }), (value) => {
        const chosen = Math.abs(steps(formatOdd(value, 'fractional')) - (value - 1000) / 1000)
        const nearest = Math.min(...ladder.map((step) => Math.abs(step - (value - 1000) / 1000)))
        expect(chosen).toBeLessThanOrEqual(nearest + 1e-9)
      }),
    )
  })

  it('shorter prices are never written as longer ones', () => {
    const american = (value: number) => {
      const number = Number(formatOdd(value, 'american'))
      return number > 0 ? number / 100 : -100 / number
    }
    fc.assert(
      fc.property(price, price, (a, b) => {
        expect(Math.sign(american(a) - american(b)) * Math.sign(a - b)).toBeGreaterThanOrEqual(0)
      }),
    )
  })
})
