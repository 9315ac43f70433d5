import { act, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import bs from '../../../config/translations/bs.json'
import en from '../../../config/translations/en.json'
import hr from '../../../config/translations/hr.json'
import sr from '../../../config/translations/sr.json'
import type { TranslationKey } from './keys'
import type { LanguageCode } from './locale'
import { PageTexts } from './pageTexts'
import { translator } from './translator'
import { useTranslation, WordsProvider } from './useTranslation'

const TEXTS = { hr, en, bs, sr }
const COUNTS = [0, 1, 2, 3, 4, 5, 11, 12, 14, 21, 22, 25, 100, 101, 111, 122, 1.5, '3']

it.each(Object.keys(TEXTS) as LanguageCode[])('the first texts of %s are those of i18next', (language) => {
  const i18n = new PageTexts(async () => translator)
  void i18n.turn(language, TEXTS[language])
  const expected = translator.makeI18n(language, TEXTS[language])
  const keys = Object.keys(TEXTS[language]).flatMap((key) => [key, key.replace(/_(one|few|other)$/, '')])
  for (const key of [...new Set(keys), 'unknown'] as TranslationKey[]) {
    const values = { name: '$& {{score}}', match: 'A – B <b>', number: 7, amount: undefined }
    expect(i18n.t(key, values)).toBe(expected.t(key, values))
    expect(i18n.exists(key)).toBe(expected.exists(key))
    for (const count of COUNTS) {
      expect(i18n.t(key, { ...values, count })).toBe(expected.t(key, { ...values, count: count as number }))
    }
  }
  expect([i18n.exists('toString'), i18n.translator]).toEqual([false, null])
})

it('i18next takes over without another render, and turns the page', async () => {
  const i18n = new PageTexts(async () => translator)
  const rendered = vi.fn()
  function Pause() {
    const { t } = useTranslation()
    rendered()
    return t('pause')
  }
  await i18n.turn('hr', hr)
  render(
    <WordsProvider i18n={i18n}>
      <Pause />
    </WordsProvider>,
  )
  await act(() => i18n.load())
  expect([i18n.translator?.language, rendered.mock.calls.length]).toEqual(['hr', 1])
  await act(() => i18n.turn('en', en))
  expect([screen.queryByText(en.pause) !== null, i18n.t('pause')]).toEqual([true, en.pause])
  await act(() => i18n.turn('hr', hr))
  expect([screen.queryByText(hr.pause) !== null, i18n.t('pause')]).toEqual([true, hr.pause])
})

it('i18next that comes before the first texts waits for them', async () => {
  const i18n = new PageTexts(async () => translator)
  expect([await i18n.load(), i18n.translator]).toEqual([true, null])
  await i18n.turn('en', en)
  expect([i18n.translator?.i18n.language, i18n.t('pause')]).toEqual(['en', en.pause])
})

it('without i18next the page turns to another language, and i18next takes over in that one', async () => {
  const load = vi.fn<() => Promise<typeof translator>>().mockRejectedValueOnce(new Error('network'))
  const i18n = new PageTexts(load.mockResolvedValue(translator))
  function Pause() {
    return useTranslation().t('pause')
  }
  await i18n.turn('hr', hr)
  render(
    <WordsProvider i18n={i18n}>
      <Pause />
    </WordsProvider>,
  )
  expect(await i18n.load()).toBe(false)
  await act(() => i18n.turn('en', en))
  expect(screen.queryByText(en.pause)).not.toBeNull()
  await act(() => i18n.load())
  expect([i18n.translator?.language, screen.queryByText(en.pause) !== null]).toEqual(['en', true])
  await act(() => i18n.turn('hr', hr))
  expect(screen.queryByText(hr.pause)).not.toBeNull()
})
