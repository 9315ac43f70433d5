/**
 * Calculates the totals of a ticket (CONTRACT 4) with `BigInt`: 30 odds with 3 decimals each give 90 decimals. They are
 * shown until the server's totals arrive, which are binding. Client and server test against `tests/golden/ticket/`.
 */
import type { TaxRule, TicketRules } from './rules'
import { centsOf, writeCents } from './stake'
import type { SystemCombination, TicketChoice, TicketTotals } from './ticket'

/** An exact fraction; the divisor is positive. */
interface Exact {
  readonly above: bigint
  readonly below: bigint
}

export function totals(ticket: TicketChoice, rules: TicketRules): TicketTotals {
  const isSystem = ticket.type === 1
  const fixed = isSystem ? ticket.pairs.filter((pair) => pair.isFix) : []
  const free = isSystem ? ticket.pairs.filter((pair) => !pair.isFix) : ticket.pairs
  const systemCombinations = isSystem ? combinationsOf(free.length) : []
  const stake = centsOf(ticket.stake)
  const k = isSystem ? ticket.combination : free.length
  const nothing = ticket.pairs.length === 0 || stake < centsOf(rules.minStake) || k === null
  const count = nothing || k === null ? 0n : binomial(BigInt(free.length), BigInt(k))
  if (nothing || k === null || count === 0n) {
    return { ...NOTHING, numberOfFixPairs: fixed.length, systemCombinations }
  }

  const fixedOdd = product(fixed.map(nowOf))
  const odds = free.map(nowOf)
  const scale = 1000n ** BigInt(fixed.length + k)
  const exactOdd: Exact = { above: fixedOdd * elementary(odds, k), below: scale }
  const most = exact(rules.maxTotalOdd)
  const clamped = exactOdd.above * most.below > most.above * exactOdd.below
  const totalOdd = clamped ? most : exactOdd

  const stakePercentage = bracketOf(rules, 'stake', stake)?.percentage ?? '0'
  const taxed = taxedStake(stake, exact(stakePercentage))
  const win = halfUp(taxed * totalOdd.above, count * totalOdd.below)
  const least = product([fixedOdd, ...[...odds].sort(ascending).slice(0, k)])
  const leastWin = halfUp(taxed * least, count * scale)
  const taxable = rules.taxableWin === 'win' ? win : win > taxed ? win - taxed : 0n
  const winTax = taxOn(taxable, rules)
  const taxedWin = win - winTax
  const maxPayout = centsOf(rules.maxPayout)
  return {
    numberOfFixPairs: fixed.length,
    numberOfOdds: Number(count),
    totalOdd: writeExact(totalOdd),
    clamped,
    stakeTaxPercentage: Number(stakePercentage),
    taxedStake: writeCents(taxed),
    possibleWin: writeCents(win),
    winTax: writeCents(winTax),
    winTaxPercentage: Number(bracketOf(rules, 'win', taxable)?.percentage ?? '0'),
    taxedWin: writeCents(taxedWin),
    possiblePayout: writeCents(taxedWin < maxPayout ? taxedWin : maxPayout),
    minWin: writeCents(leastWin < win ? leastWin : win),
    maxWin: writeCents(win),
    systemCombinations,
  }
}

const NOTHING: TicketTotals = {
  numberOfFixPairs: 0,
  numberOfOdds: 0,
  totalOdd: '0',
  clamped: false,
  stakeTaxPercentage: 0,
  taxedStake: '0.00',
  possibleWin: '0.00',
  winTax: '0.00',
  winTaxPercentage: 0,
  taxedWin: '0.00',
  possiblePayout: '0.00',
  minWin: '0.00',
  maxWin: '0.00',
  systemCombinations: [],
}

/** Why a ticket cannot be placed yet, in the contract's order: 2 empty, 1 a pair is not bettable, 0 no combination. */
export function builderCode(ticket: TicketChoice): 2 | 1 | 0 | null {
  if (ticket.pairs.length === 0) {
    return 2
  }
  if (ticket.pairs.some((pair) => !pair.canBet)) {
    return 1
  }
  return ticket.type === 1 && ticket.combination === null ? 0 : null
}

/** The current odd of a pair in thousandths. */
const nowOf = ({ oddValue }: { readonly oddValue: number }) => BigInt(oddValue)

function combinationsOf(free: number): SystemCombination[] {
  return Array.from({ length: Math.max(free - 1, 0) }, (_, place) => ({
    value: place + 1,
    count: combinationCount(free, place + 1),
  }))
}

/** The number of combinations of k out of `free` pairs. */
export function combinationCount(free: number, k: number): number {
  return Number(binomial(BigInt(free), BigInt(k)))
}

function binomial(n: bigint, k: bigint): bigint {
  let result = 1n
  for (let step = 1n; step <= k; step += 1n) {
    result = (result * (n - k + step)) / step
  }
  return k > n ? 0n : result
}

/** The sum of the products of all subsets of size k. Does not list them: each odd updates the sums of all sizes. */
function elementary(odds: readonly bigint[], k: number): bigint {
  const sums = [1n, ...Array<bigint>(k).fill(0n)]
  for (const odd of odds) {
    for (let size = k; size >= 1; size -= 1) {
      sums[size] = (sums[size] ?? 0n) + odd * (sums[size - 1] ?? 0n)
    }
  }
  return sums[k] ?? 0n
}

function product(factors: readonly bigint[]): bigint {
  return factors.reduce((result, factor) => result * factor, 1n)
}

/** round2(stake - stake * percentage / 100), in cents. */
function taxedStake(stake: bigint, percentage: Exact): bigint {
  const whole = 100n * percentage.below
  return halfUp(stake * (whole - percentage.above), whole)
}

function taxOn(taxable: bigint, rules: TicketRules): bigint {
  if (rules.winTaxMode === 'whole') {
    const { above, below } = exact(bracketOf(rules, 'win', taxable)?.percentage ?? '0')
    return halfUp(taxable * above, 100n * below)
  }
  const win = rules.tax.filter((rule) => rule.type === 'win')
  // All parts use one divisor, because only the sum is rounded.
  const divisor = win.reduce((result, { percentage }) => {
    const { below } = exact(percentage)
    return below > result ? below : result
  }, 1n)
  const sum = win.reduce((result, { from, to, percentage }) => {
    const end = to === null || centsOf(to) > taxable ? taxable : centsOf(to)
    const part = end > centsOf(from) ? end - centsOf(from) : 0n
    const { above, below } = exact(percentage)
    return result + part * above * (divisor / below)
  }, 0n)
  return halfUp(sum, 100n * divisor)
}

/** The tax rule whose bracket contains an amount in cents. */
function bracketOf(rules: TicketRules, type: TaxRule['type'], cents: bigint): TaxRule | undefined {
  return rules.tax.find(
    (rule) => rule.type === type && cents >= centsOf(rule.from) && (rule.to === null || cents < centsOf(rule.to)),
  )
}

/** The quotient, rounded half up. Both numbers must be positive. */
function halfUp(above: bigint, below: bigint): bigint {
  return (2n * above + below) / (2n * below)
}

function exact(decimal: string): Exact {
  const [whole = '0', decimals = ''] = decimal.split('.')
  return { above: BigInt(whole + decimals), below: 10n ** BigInt(decimals.length) }
}

/** Writes a fraction as a finite decimal, without trailing zeros. */
function writeExact({ above, below }: Exact): string {
  const places = String(below).length - 1
  const digits = String(above).padStart(places + 1, '0')
  const whole = digits.slice(0, digits.length - places)
  const decimals = digits.slice(digits.length - places).replace(/0+$/, '')
  return decimals === '' ? whole : `${whole}.${decimals}`
}

function ascending(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}
