/** Sets up i18next with flat keys. The texts come from the server (`GET live/translations`), one language at a time. */
import i18next, { type i18n as I18n } from 'i18next'
import { initReactI18next } from 'react-i18next'
import type { TranslationKey } from './keys'
import { type LanguageCode, LOCALES } from './locale'

export function makeI18n(language: LanguageCode, texts: Readonly<Record<string, string>> = {}): I18n {
  const instance = i18next.createInstance()
  void instance.use(initReactI18next).init({
    lng: language,
    fallbackLng: false,
    resources: { [language]: { translation: texts } },
    keySeparator: false,
    nsSeparator: false,
    // React escapes texts itself.
    interpolation: { escapeValue: false },
    react: { useSuspense: false, bindI18nStore: 'added' },
  })
  return instance
}

/** Adds the texts of a language before switching to it, so that keys are never shown instead of texts. */
export async function turnTo(
  i18n: I18n,
  language: LanguageCode,
  texts: Readonly<Record<string, string>>,
): Promise<void> {
  i18n.addResourceBundle(language, 'translation', texts, false, true)
  await i18n.changeLanguage(language)
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
