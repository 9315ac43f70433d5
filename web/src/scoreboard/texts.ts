/** The texts of the page: the server's translations, by key. */
import type { TranslationKey } from '../i18n/keys'
import { FORMAT_LOCALES, type LanguageCode } from '../i18n/locale'

export type Places = Readonly<Record<string, string | number>>

export interface Texts {
  /** The text of a key, with its placeholders filled. */
  readonly t: (key: TranslationKey, places?: Places) => string
  /** The text of a match status. Without a translation, underscores are replaced by spaces. */
  readonly status: (status: string) => string
  /** A share, 0 to 1, in whole percent. */
  readonly percent: (share: number) => string
}

export function makeTexts(raw: Readonly<Record<string, string>>, language: LanguageCode = 'hr'): Texts {
  const percents = new Intl.NumberFormat(FORMAT_LOCALES[language], { style: 'percent' })
  const find = (key: string) => (Object.hasOwn(raw, key) ? raw[key] : undefined)
  return {
    t: (key, places) => fill(find(key) ?? key, places),
    status: (status) => find(status) ?? sentence(status),
    percent: (share) => percents.format(share),
  }
}

function fill(text: string, places: Places = {}): string {
  return text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => String(places[name] ?? whole))
}

function sentence(status: string): string {
  const words = status.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
