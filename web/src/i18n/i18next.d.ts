import 'i18next'
import type { Translations } from './keys'

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation'
    keySeparator: false
    nsSeparator: false
    resources: { translation: Translations }
  }
}
