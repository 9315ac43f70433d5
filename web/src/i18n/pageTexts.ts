/**
 * The texts of the page. i18next is not in the first load: until it is there, they are looked up here by the same rules. Then
 * i18next takes over. If it cannot be loaded, nothing is missing.
 */
import type { i18n as I18n, TFunction } from 'i18next'
import type { LanguageCode } from './locale'

type Texts = Readonly<Record<string, string>>
type Values = Readonly<Record<string, unknown>>
type Loaded = typeof import('./translator').translator

export interface Translator extends Pick<Loaded, 'Subscriber'> {
  readonly i18n: I18n
  /** The language when i18next took over. */
  readonly language: LanguageCode
}

interface First {
  readonly language: LanguageCode
  readonly texts: Texts
  readonly plurals: Intl.PluralRules
}

export class PageTexts {
  readonly #load: () => Promise<Loaded>
  readonly #tookOver = new Set<() => void>()
  readonly #turned = new Set<() => void>()
  #loaded: Loaded | null
  #first: First | null = null
  #translator: Translator | null = null

  constructor(load: () => Promise<Loaded>, loaded: Loaded | null = null) {
    this.#load = load
    this.#loaded = loaded
  }

  readonly t = ((key: string, values?: Values) =>
    this.#translator
      ? this.#translator.i18n.t(key as never, values as never)
      : textOf(this.#first, key, values)) as unknown as TFunction

  exists(key: string): boolean {
    return this.#translator ? this.#translator.i18n.exists(key) : Object.hasOwn(this.#first?.texts ?? {}, key)
  }

  /** Loads i18next. False if that failed. */
  async load(): Promise<boolean> {
    try {
      this.#loaded ??= await this.#load()
    } catch {
      return false
    }
    this.#takeOver()
    return true
  }

  /** Shows these texts. */
  async turn(language: LanguageCode, texts: Texts): Promise<void> {
    if (this.#translator) {
      // The texts first, so that keys are never shown instead of texts.
      this.#translator.i18n.addResourceBundle(language, 'translation', texts, false, true)
      await this.#translator.i18n.changeLanguage(language)
    } else {
      const isOther = this.#first !== null
      this.#first = { language, texts, plurals: new Intl.PluralRules(language) }
      this.#takeOver()
      if (isOther) {
        this.#notify(this.#turned)
      }
    }
  }

  get translator(): Translator | null {
    return this.#translator
  }

  /** Calls back when i18next takes over. */
  readonly onTranslator = (listener: () => void): (() => void) => {
    this.#tookOver.add(listener)
    return () => this.#tookOver.delete(listener)
  }

  /** Calls back when the language has changed before i18next is there. */
  readonly onTurned = (listener: () => void): (() => void) => {
    this.#turned.add(listener)
    return () => this.#turned.delete(listener)
  }

  #takeOver(): void {
    if (!this.#translator && this.#loaded && this.#first) {
      const { language, texts } = this.#first
      const { makeI18n, Subscriber } = this.#loaded
      this.#translator = { i18n: makeI18n(language, texts), Subscriber, language }
      this.#notify(this.#tookOver)
    }
  }

  #notify(listeners: ReadonlySet<() => void>): void {
    for (const listener of listeners) {
      listener()
    }
  }
}

/** The text of a key as i18next finds it: in the plural form of `count`, with its places filled. */
function textOf(first: First | null, key: string, values: Values = {}): string {
  const { count } = values
  const form = typeof count === 'number' ? first?.texts[`${key}_${first.plurals.select(count)}`] : undefined
  const text = form ?? first?.texts[key] ?? key
  return text.replace(/\{\{(\w+)\}\}/g, (place, name: string) =>
    Object.hasOwn(values, name) ? String(values[name] ?? '') : place,
  )
}
