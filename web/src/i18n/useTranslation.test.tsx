import { act, render, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { makeI18n, turnTo } from './i18n'
import { useTranslation, WordsProvider } from './useTranslation'

const seen = new Set<unknown>()

function Word() {
  const { t } = useTranslation()
  seen.add(t)
  return <p>{t('hide')}</p>
}

it('the words are those of the language, and of the texts, as they change', async () => {
  const i18n = makeI18n('hr', { hide: 'Sakrij' })
  const { unmount } = render(
    <WordsProvider i18n={i18n}>
      <Word />
    </WordsProvider>,
  )
  expect(screen.getByText('Sakrij')).toBeTruthy()
  await act(() => turnTo(i18n, 'en', { hide: 'Hide' }))
  expect(screen.getByText('Hide')).toBeTruthy()
  act(() => {
    i18n.addResourceBundle('en', 'translation', { hide: 'Put away' }, false, true)
  })
  expect(screen.getByText('Put away')).toBeTruthy()
  // What is kept by the function is not kept over a language.
  expect(seen.size).toBeGreaterThan(2)
  unmount()
  const before = seen.size
  await act(() => turnTo(i18n, 'hr', { hide: 'Sakrij' }))
  expect(seen.size).toBe(before)
})
