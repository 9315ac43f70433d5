/** What a cash-out pays and what it leaves (CONTRACT 8). The server's amounts count; these are shown before it answers. */
import type { Bet, BetPair, RestStake } from './bet'
import { centsOf, writeCents } from './ticket/stake'

/** What an open bet is worth now. The amounts are null while it cannot be cashed out. */
export interface CashOutValue {
  readonly value: string | null
  readonly winTax: string | null
  readonly net: string | null
  /** Codes, the most important first. */
  readonly reasons: readonly string[]
}

/** The value of a bet as the hub sends it. */
export interface ToldCashOutValue extends CashOutValue {
  readonly ticketId: string
}

export interface CashOutRules {
  readonly isEnabled: boolean
  /** In percent. */
  readonly margin: string
  /** The lowest net value that is paid. */
  readonly min: string
  readonly cap: 'none' | 'stake'
}

/** A share of a bet in percent: 100, or a multiple of 5 from 5 to 95. */
export type SharePercent = number

export const SHARE_STEP = 5
export const WHOLE: SharePercent = 100

/** The share as the server reads it: `1`, or a decimal such as `0.05`. */
export function shareText(percent: SharePercent): string {
  return percent === WHOLE ? '1' : `0.${String(percent).padStart(2, '0')}`
}

/** What a share of the bet pays. A limit changes only the net value, so without its parts the share is of the net. */
export function paidForShare({ value, winTax, net }: CashOutValue, percent: SharePercent): string | null {
  if (value === null || winTax === null || net === null) {
    return null
  }
  const isCapped = centsOf(value) - centsOf(winTax) !== centsOf(net)
  return writeCents(isCapped ? cents(net, percent) : cents(value, percent) - cents(winTax, percent))
}

/** How far a value may fall, in percent, if the bettor accepts a small fall. */
export const FALL_PERCENT = 2

/** The lowest net value that is accepted if it may fall by this many percent. */
export function leastNet(net: string, percent: number): string {
  const rest = centsOf(net) * BigInt(100 - percent)
  return writeCents(rest / 100n + (rest % 100n > 0n ? 1n : 0n))
}

/** The stake that continues after a share was cashed out. */
export function restAfter({ bruto, taxedStake }: RestStake, percent: SharePercent): RestStake {
  return {
    bruto: writeCents(centsOf(bruto) - cents(bruto, percent)),
    taxedStake: writeCents(centsOf(taxedStake) - cents(taxedStake, percent)),
  }
}

/** The largest part that leaves at least the minimum stake; null if no part does. */
export function largestPart(rest: RestStake, minStake: string): SharePercent | null {
  for (let percent = WHOLE - SHARE_STEP; percent >= SHARE_STEP; percent -= SHARE_STEP) {
    if (centsOf(restAfter(rest, percent).bruto) >= centsOf(minStake)) {
      return percent
    }
  }
  return null
}

/** The value before the margin, from the value that the server has sent. */
export function fairValue(value: string, margin: string): string {
  return (Number(value) / (1 - Number(margin) / 100)).toFixed(2)
}

/** A share of an amount. */
export function shareOf(amount: string, percent: SharePercent): string {
  return writeCents(cents(amount, percent))
}

/** The difference of two amounts. */
export function less(amount: string, other: string): string {
  return writeCents(centsOf(amount) - centsOf(other))
}

/** The in-play delay in seconds: the longest one of the sports whose pairs are not decided. */
export function delayOf({ pairs }: Pick<Bet, 'pairs'>, delays: Readonly<Record<string, number>>): number {
  const seconds = pairs
    .filter(({ result }) => result === 'open')
    .map(({ sportId }) => delays[sportId ?? 'default'] ?? delays['default'] ?? 0)
  return Math.max(0, ...seconds)
}

/** What a pair counts as in the value: its factor, or the odd taken over the odd now. Null if that is not known. */
export function factorNow({ factor, oddValue }: BetPair, oddNow: number | null): string | null {
  if (factor !== null) {
    return factor
  }
  return oddNow === null || oddNow <= 0 ? null : (oddValue / oddNow).toFixed(3)
}

/** A share of an amount in cents, rounded half up. */
function cents(amount: string, percent: SharePercent): bigint {
  return (centsOf(amount) * BigInt(percent) + 50n) / 100n
}
