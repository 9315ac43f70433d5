import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { makeStore } from '../../app/store'
import { memberSeen, moneyReceived, strangerSeen } from '../../platform/account/accountSlice'
import { pageOpened } from '../../platform/view/viewSlice'
import { renderWithProviders } from '../../testing/renderWithProviders'
import { AccountButton } from './AccountButton'

test('what is chosen leaves the focus at the button of the menu', async () => {
  const store = makeStore()
  store.dispatch(memberSeen({ name: 'ana', balance: '100.00', currency: 'EUR' }))
  renderWithProviders(<AccountButton />, { store })
  const user = userEvent.setup()
  await user.click(screen.getByRole('button', { name: /^Račun/ }))
  await user.click(await screen.findByRole('button', { name: 'Moje oklade' }))
  expect(store.getState().view.page).toBe('bets')
  expect(document.activeElement).toBe(screen.getByRole('button', { name: /^Račun/, expanded: false }))
})

test('a stranger is led to the login, except from there', () => {
  const store = makeStore()
  store.dispatch(strangerSeen())
  renderWithProviders(<AccountButton />, { store })
  expect(screen.getByRole('link', { name: 'Prijava' })).toBeTruthy()
  act(() => {
    store.dispatch(pageOpened('login'))
  })
  expect(screen.queryByRole('link')).toBeNull()
})

test('what is owed after a correction is shown with an explanation, as soon as the hub reports it', async () => {
  const store = makeStore()
  store.dispatch(memberSeen({ name: 'ana', balance: '100.00', currency: 'EUR', receivable: '0.00' }))
  renderWithProviders(<AccountButton />, { store })
  await userEvent.setup().click(screen.getByRole('button', { name: /^Račun/ }))
  await screen.findByRole('button', { name: 'Moje oklade' })
  expect(screen.queryByText('Dugovanje')).toBeNull()
  act(() => {
    store.dispatch(moneyReceived({ revision: 1, balance: '0.00', receivable: '12.50' }))
  })
  expect(screen.getByText('Dugovanje').nextSibling?.textContent).toMatch(/^12,50\s€$/)
  expect(screen.getByText(/^Nakon ispravka obračuna/)).toBeTruthy()
})
