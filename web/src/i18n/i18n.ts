/**
 * The texts of the page, one language at a time, with flat keys. They come from the server (`GET live/translations`).
 * Plural forms are separate keys with the suffixes of `Intl.PluralRules`: `matchCount_one`, `matchCount_few`.
 */
import type { TranslationKey } from './keys'
import { type LanguageCode, LOCALES } from './locale'

type Texts = Readonly<Record<string, string>>

/** The values of the `{{places}}` of a text. A number `count` also chooses its plural form. */
export type TextValues = Readonly<Record<string, string | number>>

/** The text of a key. */
export type TFunction = (key: TranslationKey, values?: TextValues) => string

export class I18n {
  #language: LanguageCode
  #texts: Texts
  #t: TFunction
  readonly #listeners = new Set<() => void>()

  constructor(language: LanguageCode, texts: Texts) {
    this.#language = language
    this.#texts = texts
    this.#t = textsOf(language, texts)
  }

  get language(): LanguageCode {
    return this.#language
  }

  /** Another function after each change of the texts, so that components can depend on it. */
  get t(): TFunction {
    return this.#t
  }

  exists(key: string): boolean {
    return Object.hasOwn(this.#texts, key)
  }

  turn(language: LanguageCode, texts: Texts): void {
    this.#language = language
    this.#texts = texts
    this.#t = textsOf(language, texts)
    for (const listener of this.#listeners) {
      listener()
    }
  }

  /** Calls back after each change. Returns a function that stops it. */
  readonly onTurned = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

function textsOf(language: LanguageCode, texts: Texts): TFunction {
  const plurals = new Intl.PluralRules(LOCALES[language])
  return (key, values = {}) => {
    const count = values['count']
    const form = typeof count === 'number' ? texts[`${key}_${plurals.select(count)}`] : undefined
    const text = form ?? texts[key] ?? key
    return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''))
  }
}

export function makeI18n(language: LanguageCode, texts: Texts = {}): I18n {
  return new I18n(language, texts)
}

/** Switches the page to a language. */
export function turnTo(i18n: I18n, language: LanguageCode, texts: Texts): void {
  i18n.turn(language, texts)
  document.documentElement.lang = LOCALES[language]
}

/** The text of a match status. A status without a translation is shown with spaces instead of underscores. */
export function statusText(i18n: Pick<I18n, 'exists' | 't'>, status: string): string {
  return i18n.exists(status) ? i18n.t(status as TranslationKey) : sentence(status)
}

/** The short text of a match status. */
export function shortStatusText(i18n: Pick<I18n, 'exists' | 't'>, status: string): string {
  const short = `short_${status}`
  return statusText(i18n, i18n.exists(short) ? short : status)
}

function sentence(status: string): string {
  const words = status.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
