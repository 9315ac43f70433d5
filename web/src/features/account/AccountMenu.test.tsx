import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { makeStore } from '../../app/store'
import { renderWithProviders } from '../../testing/renderWithProviders'
import { AccountButton } from './AccountButton'
import { memberSeen, strangerSeen } from './accountSlice'

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

test.each([
  ['at the button', false],
  ['in the open menu', true],
])('who is logged out with the focus %s finds it at the way to log in', async (_, isOpen) => {
  const store = makeStore()
  store.dispatch(memberSeen({ name: 'ana', balance: '100.00', currency: 'EUR' }))
  renderWithProviders(<AccountButton />, { store })
  const button = screen.getByRole('button', { name: /^Račun/ })
  button.focus()
  if (isOpen) {
    await userEvent.setup().click(button)
    const logout = await screen.findByRole('button', { name: 'Odjava' })
    logout.focus()
  }
  await act(async () => store.dispatch(strangerSeen()))
  expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Prijava' }))
})

test('who is logged out with the focus elsewhere keeps it there', async () => {
  const store = makeStore()
  store.dispatch(memberSeen({ name: 'ana', balance: '100.00', currency: 'EUR' }))
  renderWithProviders(
    <>
      <AccountButton />
      <input aria-label="elsewhere" />
    </>,
    { store },
  )
  screen.getByRole('textbox').focus()
  await act(async () => store.dispatch(strangerSeen()))
  expect(document.activeElement).toBe(screen.getByRole('textbox'))
})
