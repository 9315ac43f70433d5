import { describe, expect, it } from 'vitest'
import bs from '../../../config/translations/bs.json'
import en from '../../../config/translations/en.json'
import hr from '../../../config/translations/hr.json'
import sr from '../../../config/translations/sr.json'
import { makeI18n } from '../testing/makeI18n'
import { formatDateTime, formatNumber, type LanguageCode, TIME } from './locale'
import { statusText } from './statusText'

const TEXTS = { hr, en, bs, sr }

describe('plurals', () => {
  it.each<[LanguageCode, number, string]>([
    ['hr', 1, '1 utakmica'],
    ['hr', 2, '2 utakmice'],
    ['hr', 5, '5 utakmica'],
    ['hr', 11, '11 utakmica'],
    ['hr', 21, '21 utakmica'],
    ['hr', 22, '22 utakmice'],
    ['bs', 3, '3 utakmice'],
    ['sr', 1, '1 утакмица'],
    ['sr', 4, '4 утакмице'],
    ['sr', 14, '14 утакмица'],
    ['en', 1, '1 match'],
    ['en', 2, '2 matches'],
  ])('in %s of %i: %s', (language, count, expected) => {
    expect(makeI18n(language, TEXTS[language]).t('matchCount', { count })).toBe(expected)
  })
})

describe('the status of a match', () => {
  it.each([
    ['first_half', '1. poluvrijeme'],
    ['not_started', 'Nije počelo'],
    ['golden_set', 'Golden set'],
  ])('%s is written: %s', (status, expected) => {
    expect(statusText(makeI18n('hr', hr), status)).toBe(expected)
  })
})

describe('the ticket has one name in a language', () => {
  it.each([
    ['bs', bs, /listić/i],
    ['sr', sr, /листић/i],
  ] as const)('in %s', (_, texts, foreign) => {
    expect(Object.entries(texts).filter(([, text]) => foreign.test(text))).toEqual([])
  })
})

describe('numbers, dates and order', () => {
  it.each<[LanguageCode, string]>([
    ['hr', '1.234,50'],
    ['en', '1,234.50'],
    ['bs', '1.234,50'],
    ['sr', '1.234,50'],
  ])('of %s: %s', (language, expected) => {
    expect(formatNumber(language, 1234.5, { minimumFractionDigits: 2 })).toBe(expected)
  })

  it('are of the locale', () => {
    const noon = new Date(2018, 4, 13, 12, 5).getTime()
    expect(formatDateTime('en', noon, { dateStyle: 'medium' })).toBe('May 13, 2018')
    expect(formatDateTime('hr', noon, { hour: '2-digit', minute: '2-digit' })).toBe('12:05')
  })

  it.each(Object.keys(TEXTS) as LanguageCode[])('write the time in %s alike with and without the date', (language) => {
    const early = new Date(2026, 10, 26, 5, 31).getTime()
    const time = formatDateTime(language, early, TIME)
    expect(time).toBe('05:31')
    expect(formatDateTime(language, new Date(2026, 10, 26, 17, 31).getTime(), TIME)).toBe('17:31')
    expect(formatDateTime(language, early).endsWith(` ${time}`)).toBe(true)
  })
})
