/** The keys of the translations, taken from the Croatian file: a word that is not there does not compile. */
import type hr from '../../../config/translations/hr.json'

type PluralSuffix = '_zero' | '_one' | '_two' | '_few' | '_many' | '_other'
type WithoutPlural<Key extends string> = Key extends `${infer Base}${PluralSuffix}` ? Base : Key

/** A key as the code writes it: of plural forms, what they have in common. */
export type TranslationKey = WithoutPlural<keyof typeof hr>

export type Translations = Record<keyof typeof hr, string>
