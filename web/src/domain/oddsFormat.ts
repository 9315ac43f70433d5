/**
 * Formats odds (CONTRACT 5). All calculations use integer thousandths: with a float, 1.005 would become 1.00, but the
 * rule (half up) requires 1.01.
 */

/** The six formats. The index is the saved odds type and also the index into an odd's `values`. */
export const ODDS_FORMATS = ['decimal', 'fractional', 'american', 'hongKong', 'indonesian', 'malay'] as const

export type OddsFormat = (typeof ODDS_FORMATS)[number]

/** Shown if there is no price. */
export const NO_PRICE = '-'

/** In a match with more odds than this, odds with a value of 1 or less are hidden. */
const FEW_ODDS = 5

/** Whether the odd must not be shown. */
export function isHiddenOdd(value: number, numberOfOdds: number): boolean {
  return numberOfOdds > FEW_ODDS && value <= 1000
}

/** Formats a price in thousandths. `values` are the feed's own texts by format, if it sends them. */
export function formatOdd(value: number, format: OddsFormat, values: readonly (string | null)[] | null = null): string {
  if (value < 1000) {
    return NO_PRICE
  }
  return values?.[ODDS_FORMATS.indexOf(format)] || FORMATTERS[format](value)
}

const FORMATTERS: Record<OddsFormat, (value: number) => string> = {
  decimal,
  fractional: (value) => derived(value, fractional),
  american: (value) => derived(value, american),
  hongKong: (value) => derived(value, hundredths),
  indonesian: (value) => derived(value, (profit) => (profit >= 1000 ? hundredths(profit) : negativeInverse(profit))),
  malay: (value) => derived(value, (profit) => (profit <= 1000 ? hundredths(profit) : negativeInverse(profit))),
}

/** The threshold applies to the value before rounding: 9.996 is `10.00`, 10 is `10.0`. */
function decimal(value: number): string {
  if (value >= 100_000) {
    return fixed(halfUp(value, 1000), 0)
  }
  return value >= 10_000 ? fixed(halfUp(value, 100), 1) : fixed(halfUp(value, 10), 2)
}

/** All other formats show the profit, d - 1. Without a profit there is no price. */
function derived(value: number, write: (profit: number) => string): string {
  const profit = value - 1000
  return profit > 0 ? write(profit) : NO_PRICE
}

function american(profit: number): string {
  return profit >= 1000 ? `+${halfUp(profit, 10)}` : `-${halfUp(100_000, profit)}`
}

function hundredths(profit: number): string {
  return fixed(halfUp(profit, 10), 2)
}

function negativeInverse(profit: number): string {
  return `-${fixed(halfUp(100_000, profit), 2)}`
}

const LADDER = (
  '1/100 1/50 1/33 1/25 1/20 1/16 1/14 1/12 1/11 1/10 1/9 1/8 1/7 1/6 2/11 1/5 2/9 1/4 2/7 3/10 1/3 4/11 2/5 4/9 1/2 ' +
  '8/15 4/7 8/13 4/6 8/11 4/5 5/6 10/11 1/1 11/10 6/5 5/4 11/8 6/4 13/8 7/4 15/8 2/1 9/4 5/2 11/4 3/1 10/3 7/2 4/1 ' +
  '9/2 5/1 11/2 6/1 13/2 7/1 15/2 8/1 17/2 9/1 10/1 11/1 12/1 14/1 16/1 18/1 20/1 22/1 25/1 28/1 33/1 40/1 50/1 66/1 ' +
  '80/1 100/1 125/1 150/1 200/1 250/1 300/1 400/1 500/1 750/1 1000/1'
)
  .split(' ')
  .map((text) => {
    const [above, below] = text.split('/').map(Number) as [number, number]
    return { text, above, below }
  })

/** The nearest step of the ladder; in a tie, the shorter price. */
function fractional(profit: number): string {
  if (profit > 1_000_000) {
    // A tie exactly between two integers is rounded down too.
    return `${Math.ceil((2 * profit - 1000) / 2000)}/1`
  }
  let nearest = LADDER[0]
  for (const step of LADDER) {
    if (nearest && isCloser(profit, step, nearest)) {
      nearest = step
    }
  }
  return nearest?.text ?? NO_PRICE
}

type Step = (typeof LADDER)[number]

/** Whether `profit` (thousandths) is above the middle of two steps, calculated with their common denominator. */
function isCloser(profit: number, higher: Step, lower: Step): boolean {
  return 2 * profit * higher.below * lower.below > 1000 * (higher.above * lower.below + lower.above * higher.below)
}

/** The quotient of two positive integers, rounded half up. */
function halfUp(dividend: number, divisor: number): number {
  return Math.floor((2 * dividend + divisor) / (2 * divisor))
}

/** Writes an integer with a decimal point before its last `decimals` digits. */
function fixed(scaled: number, decimals: number): string {
  if (decimals === 0) {
    return String(scaled)
  }
  const digits = String(scaled).padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}
