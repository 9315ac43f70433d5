import type { TranslationKey } from './keys'
import type { PageTexts } from './pageTexts'

/** The text of a match status. A status without a translation is shown with spaces instead of underscores. */
export function statusText(i18n: Pick<PageTexts, 'exists' | 't'>, status: string): string {
  return i18n.exists(status) ? i18n.t(status as TranslationKey) : sentence(status)
}

/** The short text of a match status. */
export function shortStatusText(i18n: Pick<PageTexts, 'exists' | 't'>, status: string): string {
  const short = `short_${status}`
  return statusText(i18n, i18n.exists(short) ? short : status)
}

function sentence(status: string): string {
  const words = status.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
