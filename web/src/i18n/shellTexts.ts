/** The texts as they were when the client was built, a chunk a language: the shell's, for times without a network. */
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
