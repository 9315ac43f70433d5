/**
 * Formats when a bet was placed: the time if today or yesterday, otherwise the date, with the year if not this year.
 */
import { FORMAT_LOCALES, formatDateTime, type LanguageCode, LOCALES, TIME } from '../../i18n/locale'

export function whenText(language: LanguageCode, ms: number, nowMs: number): string {
  const daysAgo = Math.round((midnight(nowMs) - midnight(ms)) / DAY_MS)
  if (daysAgo === 0 || daysAgo === 1) {
    const day = new Intl.RelativeTimeFormat(FORMAT_LOCALES[language], { numeric: 'auto' }).format(-daysAgo, 'day')
    return `${day.charAt(0).toLocaleUpperCase(LOCALES[language])}${day.slice(1)} ${formatDateTime(language, ms, TIME)}`
  }
  const isThisYear = new Date(ms).getFullYear() === new Date(nowMs).getFullYear()
  return formatDateTime(language, ms, { ...DAY, ...(!isThisYear && { year: 'numeric' as const }), ...TIME })
}

const DAY_MS = 86_400_000
const DAY = { day: 'numeric', month: 'numeric' } as const

/** Local midnight. Callers must round differences, because a day can have 23 or 25 hours. */
function midnight(ms: number): number {
  return new Date(ms).setHours(0, 0, 0, 0)
}
