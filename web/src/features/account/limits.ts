/** What is typed into the fields of the limits: the texts, their values, and which of them are changes. */
import type { LimitChanges, LimitName, Limits, LimitValue, Timer } from '../../api/protectionApi'
import { centsOf, cleanStake, readStake, type StakeChange } from '../../domain/ticket/stake'
import { formatNumber, type LanguageCode } from '../../i18n/locale'

/** The longest session, and the longest time between two reality checks: a week. */
export const MINUTES_MAX = 10_080

/** A limit may be any amount, also 0. The fields have no room for more than this maximum. */
const AMOUNTS = { minStake: '0.00', maxStake: '999999999999.99' }

/** The texts that were typed. A field that is not in it shows the limit in force. */
export type Drafts = Readonly<Partial<Record<LimitName, string>>>

export function isTimer(name: LimitName): name is Timer {
  return !name.includes('.')
}

/** A limit as it is typed: without thousands separators. */
export function typedText(language: LanguageCode, value: LimitValue): string {
  const separator = formatNumber(language, 0.5, { minimumFractionDigits: 1 }).charAt(1)
  return value?.replace('.', separator) ?? ''
}

/** The typed text with only the characters that a field of this limit allows, and what was changed. */
export function cleanText(name: LimitName, typed: string): { text: string; change: StakeChange } {
  if (!isTimer(name)) {
    return cleanStake(typed)
  }
  const text = typed.replace(/\D/g, '')
  return { text, change: text === typed.trim() ? null : 'cleaned' }
}

/** The value of a text; null if it has no digits; undefined if it cannot be a limit. */
export function readLimit(name: LimitName, text: string): LimitValue | undefined {
  if (!/\d/.test(text)) {
    return null
  }
  if (!isTimer(name)) {
    return readStake(text, AMOUNTS) ?? undefined
  }
  const minutes = Number(text)
  return minutes >= 1 && minutes <= MINUTES_MAX ? String(minutes) : undefined
}

/** The limits to send, and those with a wrong text. */
export function changesOf(limits: Limits, drafts: Drafts): { changes: LimitChanges; wrong: readonly LimitName[] } {
  const changes: Partial<Record<LimitName, LimitValue>> = {}
  const wrong: LimitName[] = []
  for (const [key, text] of Object.entries(drafts)) {
    const name = key as LimitName
    const value = readLimit(name, text)
    if (value === undefined) {
      wrong.push(name)
    } else if (value !== limits[name].value) {
      changes[name] = value
    }
  }
  return { changes, wrong }
}

/** The limits that were saved. What is used does not change by saving, and the server may leave it out. */
export function withUsed(saved: Limits, before: Limits): Limits {
  const limits = Object.entries(saved).map(([name, limit]) => [
    name,
    { ...limit, used: limit.used ?? before[name as LimitName].used },
  ])
  return Object.fromEntries(limits) as Limits
}

/** The used part of a limit, in whole percent: 0 to 100. A limit of 0 is used up. */
export function usedPercent(limit: string, used: string): number {
  const [of, part] = [centsOf(limit), centsOf(used)]
  return of === 0n || part >= of ? 100 : Number((part * 100n) / of)
}
