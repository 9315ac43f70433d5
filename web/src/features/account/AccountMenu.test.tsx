import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { makeStore } from '../../app/store'
import { renderWithProviders } from '../../testing/renderWithProviders'
import { AccountButton } from './AccountButton'
import { memberSeen } from './accountSlice'

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
