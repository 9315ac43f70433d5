import type { LanguageCode } from '../i18n/locale'
import { PageTexts } from '../i18n/pageTexts'
import { translator } from '../i18n/translator'

/** The texts of a language, already in i18next. */
export function makeI18n(language: LanguageCode, texts: Readonly<Record<string, string>> = {}): PageTexts {
  const i18n = new PageTexts(async () => translator, translator)
  void i18n.turn(language, texts)
  return i18n
}
