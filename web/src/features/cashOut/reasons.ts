import { REASONS } from '../../domain/ticket/ticket'
import type { TranslationKey } from '../../i18n/keys'
import { useTranslation } from '../../i18n/useTranslation'

/** The codes of cash-out itself. The others are those of a pair on the ticket. */
const OWN = [
  'below_minimum',
  'disabled',
  'malformed',
  'not_bettable',
  'not_open',
  'rate_limited',
  'value_changed',
] as const

/** The key of the text of a reason code, also of a code of a later version. */
export function reasonKey(code: string): TranslationKey {
  const own = OWN.find((known) => known === code)
  if (own) {
    return `cashOutReason_${own}`
  }
  const ofPair = REASONS.find((known) => known === code)
  return ofPair ? `reason_${ofPair}` : 'cashOutUnavailable'
}

/** Returns a function with the text of a reason code. */
export function useReasonText(): (code: string) => string {
  const { t } = useTranslation()
  return (code) => t(reasonKey(code))
}

/** The reason that says most: that of a pair, if there is one. */
export function mainReason(reasons: readonly string[]): string {
  return reasons.find((code) => code !== 'not_bettable') ?? reasons[0] ?? ''
}
