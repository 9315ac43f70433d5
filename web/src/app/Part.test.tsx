import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { later } from '../components/later'
import { pageOpened } from '../platform/view/viewSlice'
import { renderWithProviders } from '../testing/renderWithProviders'
import { PageSkeleton } from './PageSkeleton'
import { Part } from './Part'
import { makeStore } from './store'

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

it('a page whose chunk fails shows its title, then an error, and loads again on request', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  let isOffline = true
  const Page = later(async () => {
    if (isOffline) {
      throw new Error('offline')
    }
    return () => <p>loaded</p>
  }, PageSkeleton)
  const store = makeStore()
  store.dispatch(pageOpened('bets'))
  renderWithProviders(
    <Part>
      <Page />
    </Part>,
    { store },
  )
  expect(screen.getByRole('heading', { level: 1, name: 'Moje oklade' })).toBeTruthy()
  await act(() => vi.advanceTimersByTimeAsync(10_000))
  expect(screen.getByRole('alert').textContent).toContain('Ovaj dio se nije učitao.')
  isOffline = false
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime })
  await user.click(screen.getByRole('button', { name: 'Pokušaj ponovno' }))
  expect(await screen.findByText('loaded')).toBeTruthy()
})
