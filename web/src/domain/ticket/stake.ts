/** The text of a stake (CONTRACT 4): digits and one separator, cut to two decimals, between the limits. */

export interface StakeLimits {
  readonly minStake: string
  readonly maxStake: string
}

export const STAKE_LIMITS: StakeLimits = { minStake: '1.00', maxStake: '1000000.00' }

/** What a field changed in the typed text: removed characters, or decimals after the second. */
export type StakeChange = 'cleaned' | 'cut' | null

/** The text with only the allowed characters and at most two decimals; anything else typed or pasted is removed. */
export function stakeText(typed: string): string {
  return cleanStake(typed).text
}

/** As {@link stakeText}, with what was changed. Spaces at the ends do not count. */
export function cleanStake(typed: string): { text: string; change: StakeChange } {
  const allowed = typed.replace(/[^\d.,]/g, '')
  const plain = ungrouped(allowed) ?? allowed
  const [whole = '', ...rest] = plain.split(/[.,]/)
  const separator = rest.length > 0 ? (/[.,]/.exec(plain)?.[0] ?? '') : ''
  const decimals = rest.join('')
  const text = `${whole}${separator}${decimals.slice(0, 2)}`
  const isCleaned = `${whole}${separator}${decimals}` !== typed.trim()
  return { text, change: isCleaned ? 'cleaned' : decimals.length > 2 ? 'cut' : null }
}

/**
 * An amount with thousands separators, such as 1.000,50 or 1,000,000, without them; null for any other text. A single
 * separator is always the decimal one (CONTRACT 4). No such text arises from typing, as decimals are cut to two.
 */
function ungrouped(text: string): string | null {
  const [, separator = ''] = /^\d{1,3}([.,])\d{3}/.exec(text) ?? []
  const parts = separator === '' ? [] : text.split(separator)
  const [last = ''] = parts.slice(-1)
  const isGrouped = parts.slice(1, -1).every((part) => /^\d{3}$/.test(part)) && /^\d{3}(?:[.,]\d*)?$/.test(last)
  return isGrouped && (parts.length > 2 || last.length > 3) ? parts.join('') : null
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

/** The stake plus an amount, kept inside the limits. */
export function addStake(stake: string, amount: string, limits: StakeLimits = STAKE_LIMITS): string {
  const next = centsOf(stake) + centsOf(amount)
  const most = centsOf(limits.maxStake)
  return writeCents(next > most ? most : next)
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
