import { act, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { makeStore } from '../../app/store'
import { connectionLost } from '../../platform/connection/connectionSlice'
import { renderWithProviders } from '../../testing/renderWithProviders'
import { ConnectionBanner } from './ConnectionBanner'

test('a network that is back while nobody answers is no longer said to be missing', () => {
  const isOnline = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  const store = makeStore()
  store.dispatch(connectionLost())
  renderWithProviders(<ConnectionBanner />, { store })
  expect(screen.getByText(/^Niste na mreži/)).toBeTruthy()
  isOnline.mockReturnValue(true)
  act(() => {
    store.dispatch(connectionLost())
  })
  expect(screen.getByText('Veza je prekinuta. Ponovno povezivanje…')).toBeTruthy()
})
