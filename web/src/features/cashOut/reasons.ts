import { REASONS } from '../../domain/ticket/ticket'
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

/** Returns a function with the text of a reason code, also of a code of a later version. */
export function useReasonText(): (code: string) => string {
  const { t } = useTranslation()
  return (code) => {
    const own = OWN.find((known) => known === code)
    if (own) {
      return t(`cashOutReason_${own}`)
    }
    const ofPair = REASONS.find((known) => known === code)
    return ofPair ? t(`reason_${ofPair}`) : t('cashOutUnavailable')
  }
}

/** The reason that says most: that of a pair, if there is one. */
export function mainReason(reasons: readonly string[]): string {
  return reasons.find((code) => code !== 'not_bettable') ?? reasons[0] ?? ''
}
