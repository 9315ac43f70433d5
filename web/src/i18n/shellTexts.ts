/** The texts from build time, one chunk per language. The offline shell uses them without a network. */
import type { LanguageCode } from './locale'

const LOAD: Record<LanguageCode, () => Promise<{ default: Record<string, string> }>> = {
  hr: () => import('../../../config/translations/hr.json'),
  en: () => import('../../../config/translations/en.json'),
  bs: () => import('../../../config/translations/bs.json'),
  sr: () => import('../../../config/translations/sr.json'),
}

export async function shellTexts(language: LanguageCode): Promise<Record<string, string>> {
  return (await LOAD[language]()).default
}
