/** The page's words: the server's translations, by key. */
import type { TranslationKey } from '../i18n/keys'

export type Places = Readonly<Record<string, string | number>>

export interface Texts {
  /** A text with its places filled. */
  readonly t: (key: TranslationKey, places?: Places) => string
  /** The text of a status: a translation, or for one of later days its own words. */
  readonly status: (status: string) => string
}

export function makeTexts(raw: Readonly<Record<string, string>>): Texts {
  const find = (key: string) => (Object.hasOwn(raw, key) ? raw[key] : undefined)
  return {
    t: (key, places) => fill(find(key) ?? key, places),
    status: (status) => find(status) ?? sentence(status),
  }
}

function fill(text: string, places: Places = {}): string {
  return text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => String(places[name] ?? whole))
}

function sentence(status: string): string {
  const words = status.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
