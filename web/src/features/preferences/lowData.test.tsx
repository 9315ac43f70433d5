import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { renderWithProviders } from '../../testing/renderWithProviders'
import { PreferencesPanel } from './PreferencesPanel'

it('low data is off by default, and chosen by its own group', async () => {
  const { store } = renderWithProviders(<PreferencesPanel />)
  expect(screen.getByRole('group', { name: 'Štednja podataka' })).toBeTruthy()
  expect(store.getState().preferences.lowData).toBe(false)
  await userEvent.click(screen.getByRole('radio', { name: /Najviše jedna promjena u sekundi/ }))
  expect(store.getState().preferences.lowData).toBe(true)
})
