import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { LANGUAGES, languageChanged } from '../../platform/preferences/preferencesSlice'
import { renderWithProviders } from '../../testing/renderWithProviders'
import lowDataTexts from './lowDataTexts.json'
import { PreferencesPanel } from './PreferencesPanel'

it('low data is off by default, and named in each language', async () => {
  const { store } = renderWithProviders(<PreferencesPanel />)
  for (const language of LANGUAGES) {
    act(() => {
      store.dispatch(languageChanged(language))
    })
    expect(screen.getByRole('group', { name: lowDataTexts[language].label })).toBeTruthy()
  }
  expect(store.getState().preferences.lowData).toBe(false)
  act(() => {
    store.dispatch(languageChanged('hr'))
  })
  await userEvent.click(screen.getByRole('radio', { name: /Najviše jedna promjena u sekundi/ }))
  expect(store.getState().preferences.lowData).toBe(true)
})

it('the texts of low data are complete, and Cyrillic in Serbian', () => {
  expect(Object.keys(lowDataTexts)).toEqual([...LANGUAGES])
  const keys = Object.values(lowDataTexts).map((texts) => Object.keys(texts).join())
  expect(new Set(keys).size).toBe(1)
  expect(Object.values(lowDataTexts.sr).filter((text) => /\p{Script=Latin}/u.test(text))).toEqual([])
})
