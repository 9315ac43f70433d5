/** The text of a stake (CONTRACT 4): digits and one separator, cut to two decimals, between the limits. */

export interface StakeLimits {
  readonly minStake: string
  readonly maxStake: string
}

export const STAKE_LIMITS: StakeLimits = { minStake: '1.00', maxStake: '1000000.00' }

/** The text with only the allowed characters and at most two decimals; anything else typed or pasted is removed. */
export function stakeText(typed: string): string {
  const [whole = '', ...decimals] = typed.replace(/[^\d.,]/g, '').split(/[.,]/)
  if (decimals.length === 0) {
    return whole
  }
  const separator = /[.,]/.exec(typed)?.[0] ?? '.'
  return `${whole}${separator}${decimals.join('').slice(0, 2)}`
}

/** The stake for a text; null if the text is not a valid stake. Above the maximum, the maximum. */
export function readStake(text: string, limits: StakeLimits = STAKE_LIMITS): string | null {
  const found = /^(\d*)(?:[.,](\d*))?$/.exec(text)
  const whole = found?.[1] ?? ''
  const decimals = found?.[2] ?? ''
  if (!found || whole + decimals === '') {
    return null
  }
  const cents = BigInt(`${whole}${decimals.slice(0, 2).padEnd(2, '0')}`)
  if (cents < centsOf(limits.minStake)) {
    return null
  }
  const most = centsOf(limits.maxStake)
  return writeCents(cents > most ? most : cents)
}

/** The stake plus or minus 1, kept inside the limits. */
export function stepStake(stake: string, step: 1 | -1, limits: StakeLimits = STAKE_LIMITS): string {
  const next = centsOf(stake) + BigInt(step) * 100n
  const least = centsOf(limits.minStake)
  const most = centsOf(limits.maxStake)
  return writeCents(next < least ? least : next > most ? most : next)
}

/** Converts an amount with two decimals to cents. */
export function centsOf(amount: string): bigint {
  const [whole = '0', decimals = ''] = amount.split('.')
  return BigInt(`${whole}${decimals.slice(0, 2).padEnd(2, '0')}`)
}

export function writeCents(cents: bigint): string {
  const digits = String(cents).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** The stake of each combination, cut to cents. */
export function stakeEach({ stake, numberOfOdds }: { readonly stake: string; readonly numberOfOdds: number }): string {
  return writeCents(centsOf(stake) / BigInt(numberOfOdds))
}
