import { describe, expect, it } from 'vitest'
import { type LanguageCode, LOCALES } from '../../i18n/locale'
import { whenText } from './when'

/** Local time, in any time zone. */
const at = (year: number, month: number, day: number, hour: number, minute: number) =>
  new Date(year, month - 1, day, hour, minute).getTime()

const NOW = at(2026, 11, 22, 12, 0)
const textOf = (language: LanguageCode, ms: number) => whenText(language, ms, NOW).replace(/\s/g, ' ')

describe('when a bet was placed', () => {
  it.each([
    ['today', at(2026, 11, 22, 9, 42), 'Danas 09:42'],
    ['at the first minute of today', at(2026, 11, 22, 0, 0), 'Danas 00:00'],
    ['at the last minute of yesterday', at(2026, 11, 21, 23, 59), 'Jučer 23:59'],
    ['the day before', at(2026, 11, 20, 21, 5), '20. 11. 21:05'],
    ['last year', at(2025, 12, 31, 21, 5), '31. 12. 2025. 21:05'],
  ])('%s is said as one says it', (_, ms, text) => {
    expect(textOf('hr', ms)).toBe(text)
  })

  it('yesterday is the day before whatever the clock was put to in the night', () => {
    expect(whenText('hr', at(2026, 3, 28, 23, 30), at(2026, 3, 29, 23, 30))).toMatch(/^Jučer/)
    expect(whenText('hr', at(2026, 10, 24, 0, 30), at(2026, 10, 25, 23, 30))).toMatch(/^Jučer/)
  })

  it.each(Object.keys(LOCALES) as LanguageCode[])('in %s begins with a capital', (language) => {
    expect(textOf(language, at(2026, 11, 22, 9, 42))).toMatch(/^\p{Lu}\p{Ll}+ 09:42/u)
  })
})
