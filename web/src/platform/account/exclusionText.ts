import { type Exclusion, type ExclusionKind, kindOf } from '../../domain/exclusion'
import { formatDateTime, type LanguageCode } from '../../i18n/locale'

/** The sentence that says which exclusion is in force, and until when. */
export function exclusionText(
  exclusion: Exclusion,
  language: LanguageCode,
): { key: 'exclusionForever' | `exclusionUntil_${ExclusionKind}`; values: Record<string, string | number> } {
  return exclusion.until === null
    ? { key: 'exclusionForever', values: {} }
    : { key: `exclusionUntil_${kindOf(exclusion)}`, values: { time: formatDateTime(language, exclusion.until) } }
}
