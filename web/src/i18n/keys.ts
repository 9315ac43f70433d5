/** The type of the translation keys, from the Croatian file: an unknown key does not compile. */
import type hr from '../../../config/translations/hr.json'

type PluralSuffix = '_zero' | '_one' | '_two' | '_few' | '_many' | '_other'
type WithoutPlural<Key extends string> = Key extends `${infer Base}${PluralSuffix}` ? Base : Key

/** A key as the code uses it: without the plural suffix. */
export type TranslationKey = WithoutPlural<keyof typeof hr>

export type Translations = Record<keyof typeof hr, string>
