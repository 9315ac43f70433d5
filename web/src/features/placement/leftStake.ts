/**
 * The largest stake that a rejection leaves. The answer has it only inside its text, so the text is compared with those
 * that the server writes.
 */
import type { TFunction } from 'i18next'
import { cleanStake, readStake } from '../../domain/ticket/stake'

/** Texts whose last amount is the largest possible stake. */
const TEXTS = [
  'refusedNotEnoughBalance',
  'refusedStakeOutOfRange',
  'refusedStakeLimitDay',
  'refusedStakeLimitWeek',
  'refusedStakeLimitMonth',
  'refusedLossLimitDay',
  'refusedLossLimitWeek',
  'refusedLossLimitMonth',
] as const

export interface LeftStake {
  readonly amount: string
  /** A deposit helps. */
  readonly isOfBalance: boolean
  /** The bettor's own limit. */
  readonly isOwnLimit: boolean
}

const ANY = { minStake: '0.00', maxStake: '999999999999.99' }
/** Stands for an amount; no text contains it. */
const MARK = '\u0001'

export function leftStake(reason: string, t: TFunction): LeftStake | null {
  for (const key of TEXTS) {
    const text = t(key, { balance: MARK, left: MARK, min: MARK, max: MARK })
    const pattern = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll(MARK, '(.+)')
    const found = new RegExp(`^${pattern}$`).exec(reason)?.at(-1)
    const amount = found === undefined ? null : readStake(cleanStake(found).text, ANY)
    if (amount !== null) {
      return { amount, isOfBalance: key === 'refusedNotEnoughBalance', isOwnLimit: /Limit/.test(key) }
    }
  }
  return null
}
