import { act, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Dialog } from '../../components/Dialog'
import { announced, announcedAtOnce } from '../../platform/notices/announcementsSlice'
import { renderWithProviders } from '../../testing/renderWithProviders'
import { Announcer, NOTICED_MS } from './Announcer'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

const TEXT = 'Veza je prekinuta. Ponovno povezivanje…'

const pass = () => act(() => vi.advanceTimersByTime(3 * NOTICED_MS))
const page = (...titles: string[]) => (
  <>
    {titles.map((title) => (
      <Dialog key={title} title={title}>
        {title}
      </Dialog>
    ))}
    <Announcer />
  </>
)

function show() {
  const shown = renderWithProviders(page())
  pass()
  return shown
}

test('the regions are in the topmost open modal dialog', () => {
  const { rerender } = show()
  const status = () => screen.getByRole('status')
  rerender(page('sheet'))
  expect(screen.getByRole('dialog', { name: 'sheet' }).contains(status())).toBe(true)
  rerender(page('sheet', 'confirm'))
  expect(screen.getByRole('dialog', { name: 'confirm' }).contains(status())).toBe(true)
  rerender(page('sheet'))
  expect(screen.getByRole('dialog', { name: 'sheet' }).contains(status())).toBe(true)
  rerender(page())
  expect(status().closest('dialog')).toBeNull()
})

test('an announcement appears in a region that was already in the dialog', () => {
  const { rerender, store } = show()
  rerender(page('sheet'))
  const status = within(screen.getByRole('dialog')).getByRole('status')
  act(() => {
    store.dispatch(announced({ key: 'reconnecting', values: {} }))
  })
  expect(status.textContent).toBe('')
  pass()
  expect(status.textContent).toBe(TEXT)
  expect(screen.getByRole('status')).toBe(status)
})

test('opening and closing a dialog does not repeat an announcement', () => {
  const { rerender, store } = show()
  act(() => {
    store.dispatch(announcedAtOnce({ key: 'reconnecting', values: {} }))
  })
  pass()
  expect(screen.getByRole('alert').textContent).toBe(TEXT)
  for (const dialogs of [page('sheet'), page()]) {
    rerender(dialogs)
    pass()
    expect(screen.queryByText(TEXT)).toBeNull()
  }
})

test('an announcement made while a dialog closes is not lost', () => {
  const { rerender, store } = show()
  rerender(page('confirm'))
  pass()
  act(() => {
    store.dispatch(announced({ key: 'reconnecting', values: {} }))
    rerender(page())
  })
  pass()
  expect(screen.getByRole('status').textContent).toBe(TEXT)
})
