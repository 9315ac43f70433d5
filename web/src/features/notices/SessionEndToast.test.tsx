import { act, screen } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { makeStore } from '../../app/store'
import { addProtection, sessionAnnounced } from '../../platform/account/protectionSlice'
import { helloReceived } from '../../platform/connection/connectionSlice'
import { noticeShown } from '../../platform/notices/noticesSlice'
import { startNoticeTimers } from '../../platform/notices/noticeTimers'
import { renderWithProviders } from '../../testing/renderWithProviders'
import { NoticeToasts } from './NoticeToasts'

const MINUTE = 60_000

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

function show(offsetMs = 0) {
  const store = makeStore()
  addProtection(store)
  const stop = startNoticeTimers(store, store.listeners.startListening.withTypes(), () => false)
  store.dispatch(helloReceived({ session: 's', version: '1', feed: 'active', serverOffsetMs: offsetMs }))
  store.dispatch(sessionAnnounced({ endsAt: Date.now() + offsetMs + 5 * MINUTE, sums: null }))
  renderWithProviders(<NoticeToasts />, { store })
  return { store, stop }
}

const text = (minutes: string) => screen.queryByText(`Vaše ograničenje: prijava završava za ${minutes}.`)

test('the end of the session stays announced beside other messages, and counts down by the clock of the server', () => {
  const { store, stop } = show(3_600_000)
  act(() => {
    for (let index = 0; index < 4; index += 1) {
      store.dispatch(noticeShown('noticeMatchMissing'))
    }
  })
  expect(text('5 minuta')).toBeTruthy()
  act(() => vi.advanceTimersByTime(3 * MINUTE))
  expect(screen.getAllByRole('button')).toHaveLength(1)
  expect(text('2 minute')).toBeTruthy()
  act(() => vi.advanceTimersByTime(MINUTE))
  expect(text('1 minutu')).toBeTruthy()
  stop()
})

test('it can be closed, and a later announcement shows it again', () => {
  const { store, stop } = show()
  act(() => screen.getByRole('button', { name: 'U redu' }).click())
  expect(screen.queryByRole('button')).toBeNull()
  act(() => void store.dispatch(sessionAnnounced({ endsAt: Date.now() + MINUTE, sums: null })))
  expect(text('1 minutu')).toBeTruthy()
  stop()
})
