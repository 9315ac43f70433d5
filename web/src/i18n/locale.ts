/** The locale of each language, for `Intl` and for `<html lang>`. */
export const LOCALES = {
  hr: 'hr-HR',
  en: 'en-US',
  bs: 'bs-Latn-BA',
  sr: 'sr-Cyrl-RS',
} as const

export type LanguageCode = keyof typeof LOCALES

/**
 * The locale for the formats of a language. Chromium knows Bosnian but not its formats and writes `€ 1,234.50`; those of
 * Croatian are the same.
 */
export const FORMAT_LOCALES: Record<LanguageCode, string> = { ...LOCALES, bs: LOCALES.hr }

/** The name of each language in that language. */
export const LANGUAGE_NAMES: Record<LanguageCode, string> = {
  hr: 'Hrvatski',
  en: 'English',
  bs: 'Bosanski',
  sr: 'Српски',
}

export function formatNumber(language: LanguageCode, value: number, options?: Intl.NumberFormatOptions): string {
  return numberFormat(language, options).format(value)
}

/** Formats an exact decimal amount: `128.40` becomes `128,40 €`. */
export function formatMoney(language: LanguageCode, amount: string, currency: string): string {
  // `Intl` formats a decimal text exactly; a number would be rounded to the nearest float.
  return numberFormat(language, { style: 'currency', currency }).format(amount as `${number}`)
}

/** The time of day, 00:00 to 23:59 in every language. */
export const TIME = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
const DATE_TIME = { day: 'numeric', month: 'numeric', year: 'numeric', ...TIME } as const

export function formatDateTime(language: LanguageCode, ms: number, options?: Intl.DateTimeFormatOptions): string {
  return dateTimeFormat(language, options).format(ms)
}

/** Creating an `Intl` object is slow, so each is created once and kept. */
function kept<Options, Format>(make: (locale: string, options?: Options) => Format) {
  const formats = new Map<string, Format>()
  return (language: LanguageCode, options?: Options): Format => {
    const key = `${language} ${JSON.stringify(options)}`
    let format = formats.get(key)
    if (!format) {
      format = make(FORMAT_LOCALES[language], options)
      formats.set(key, format)
    }
    return format
  }
}

const numberFormat = kept((locale, options?: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options))
const dateTimeFormat = kept(
  (locale, options?: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options ?? DATE_TIME),
)
