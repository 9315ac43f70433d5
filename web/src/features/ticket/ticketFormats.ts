/** The number formats of a ticket with pairs. Creating them takes 50 ms on a slow phone, so it is done ahead. */
import { formatMoney, formatNumber, type LanguageCode } from '../../i18n/locale'

export const PERCENT = { style: 'percent', maximumFractionDigits: 2 } as const
export const ONE_DECIMAL = { minimumFractionDigits: 1 } as const

export function prepareFormats(language: LanguageCode, currency: string): void {
  formatMoney(language, '0', currency)
  formatNumber(language, 0, PERCENT)
  formatNumber(language, 0, ONE_DECIMAL)
}
