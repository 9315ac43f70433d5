import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { makeStore } from '../../app/store'
import type { RealityCheck } from '../../domain/realityCheck'
import { memberSeen, selectUser } from '../../platform/account/accountSlice'
import { panelTurned } from '../../platform/view/viewSlice'
import { eventually } from '../../testing/eventually'
import { renderWithProviders } from '../../testing/renderWithProviders'
import { RealityCheckDialog } from './RealityCheckDialog'
import { addReality } from './realitySlice'

const ANA = { name: 'ana', balance: '100.00', currency: 'EUR' }
const CHECK: RealityCheck = { timeMs: 3_900_000, staked: '12.00', returned: '3.50' }

function show(check = CHECK, store = makeStore()) {
  addReality(store)
  store.dispatch(memberSeen(ANA))
  renderWithProviders(<RealityCheckDialog check={check} answer="none" />, { store })
  return { user: userEvent.setup(), store }
}

beforeEach(() => {
  vi.stubGlobal('fetch', vi.fn<typeof fetch>())
})

test('it shows the time, the stakes, the returns and the result since the login', () => {
  show()
  const dialog = screen.getByRole('alertdialog', { name: 'Podsjetnik na proteklo vrijeme' })
  expect(screen.getByText(/^Prijavljeni ste već 1 h 5 min\.$/)).toBeTruthy()
  const values = [...dialog.querySelectorAll('dd')].map(({ textContent }) => textContent)
  expect(values).toEqual(['12,00\u00a0€', '3,50\u00a0€', '\u22128,50\u00a0€'])
  const described = document.getElementById(dialog.getAttribute('aria-describedby') ?? '')
  expect(described?.textContent).toMatch(/^Prijavljeni ste već/)
})

test.each([
  [{ timeMs: 59_000, staked: '5.00', returned: '5.00' }, /već 0 min\./, '0,00 €'],
  [{ timeMs: 7_200_000, staked: '0.10', returned: '1000.30' }, /već 2 h\./, '1.000,20 €'],
])('%o is exact', (check, time, result) => {
  show(check)
  expect(screen.getByText(time)).toBeTruthy()
  expect(screen.getByText(result)).toBeTruthy()
})

test('the focus goes to the text, and neither Escape nor a press beside it closes it', async () => {
  const { user } = show()
  expect(document.activeElement?.textContent).toMatch(/^Prijavljeni ste/)
  await user.keyboard('{Escape}{Escape}{Enter}')
  await user.click(screen.getByRole('alertdialog'))
  expect(screen.getByRole<HTMLDialogElement>('alertdialog').open).toBe(true)
})

test('the limits can be opened from it, unless they are open behind it', async () => {
  const { user, store } = show()
  await user.click(screen.getByRole('button', { name: 'Ograničenja i zaštita igrača' }))
  expect(store.getState().view.panel).toBe('protection')
})

test('the limits that are open behind it are not offered', () => {
  const store = makeStore()
  store.dispatch(panelTurned('protection'))
  show(CHECK, store)
  expect(screen.queryByRole('button', { name: 'Ograničenja i zaštita igrača' })).toBeNull()
})

test('its button logs out, and no dialog of the account is open afterwards', async () => {
  vi.mocked(fetch).mockResolvedValue(new Response(null, { status: 204 }))
  const { user, store } = show()
  store.dispatch(panelTurned('security'))
  await user.click(screen.getByRole('button', { name: 'Odjavi se' }))
  await eventually(() => expect(selectUser(store.getState())).toBeNull())
  expect(store.getState().view.panel).toBeNull()
  expect(String(vi.mocked(fetch).mock.calls[0]?.[0])).toBe('/api/v1/account/logout')
})

test('a logout that fails is reported in it', async () => {
  vi.mocked(fetch).mockRejectedValue(new TypeError('network'))
  const { user, store } = show()
  await user.click(screen.getByRole('button', { name: 'Odjavi se' }))
  expect((await screen.findByText(/^Došlo je do pogreške/)).closest('[role="alert"]')).toBeTruthy()
  expect(selectUser(store.getState())).not.toBeNull()
})

test('its other button sends the answer', async () => {
  const { user, store } = show()
  await user.click(screen.getByRole('button', { name: 'Nastavi' }))
  expect(store.getState().reality?.answer).toBe('sending')
})
