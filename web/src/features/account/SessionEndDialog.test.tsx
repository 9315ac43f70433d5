import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { makeStore } from '../../app/store'
import type { SessionEnd } from '../../domain/sessionEnd'
import { addProtection, selectSessionEnd, sessionEnded } from '../../platform/account/protectionSlice'
import { ticketReceived } from '../../platform/connection/hubMessages'
import { renderWithProviders } from '../../testing/renderWithProviders'
import { aPair, aTicket } from '../../testing/ticketBuilders'
import { SessionEndDialog } from './SessionEndDialog'

const END: SessionEnd = { endsAt: 7, sums: { timeMs: 3_900_000, staked: '12.00', returned: '3.50' } }

function show(end = END) {
  const store = makeStore()
  addProtection(store)
  store.dispatch(sessionEnded(end))
  renderWithProviders(<SessionEndDialog end={end} />, { store })
  return { store, user: userEvent.setup(), dialog: screen.getByRole('alertdialog', { name: 'Prijava je završila' }) }
}

test('it says how long the login lasted, what was staked and returned, and the result', () => {
  const { dialog } = show()
  const rows = [...dialog.querySelectorAll('dt')].map((name) => [
    name.textContent,
    name.nextElementSibling?.textContent?.replace('\u00a0', ' '),
  ])
  expect(rows).toEqual([
    ['Trajanje', '1 h 5 min'],
    ['Uplaćeno na listiće od prijave', '12,00 €'],
    ['Vraćeno od prijave', '3,50 €'],
    ['Rezultat', '\u22128,50 €'],
  ])
  expect(document.activeElement?.textContent).toBe('Dosegnuto je vaše ograničenje trajanja prijave.')
})

test('it leads to the login', async () => {
  const { store, user } = show()
  await user.click(screen.getByRole('button', { name: 'Prijavi se ponovno' }))
  expect(store.getState().view.page).toBe('login')
  expect(selectSessionEnd(store.getState())).toBeNull()
})

test('without sums it says only why, and can be closed', async () => {
  const { store, user, dialog } = show({ endsAt: 7, sums: null })
  expect(dialog.querySelector('dl')).toBeNull()
  await user.keyboard('{Escape}')
  expect(selectSessionEnd(store.getState())).toBeNull()
})

test('it says that the ticket is kept, if there is one', () => {
  const kept = 'Vaš listić je sačuvan i čeka sljedeću prijavu.'
  const { store } = show()
  expect(screen.queryByText(kept)).toBeNull()
  act(() => void store.dispatch(ticketReceived(aTicket({ pairs: [aPair({})] }))))
  expect(screen.getByText(kept)).toBeTruthy()
})
