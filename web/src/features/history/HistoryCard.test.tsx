import { fireEvent, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { addAlerts, selectAlerts } from '../../platform/alerts/alertsSlice'
import { aMarket, aMatch, anOdd, anOffer, aSport } from '../../testing/builders'
import { renderWithProviders, storeWith } from '../../testing/renderWithProviders'
import { HistoryCard } from './HistoryCard'

const MATCH = aMatch({ id: 17, markets: [aMarket({ odds: [anOdd({ id: 101, type: '1', value: 1850 })] })] })

beforeEach(() => {
  // The server never answers; these tests do not need the data.
  vi.stubGlobal('fetch', () => new Promise(() => undefined))
})

afterEach(() => {
  vi.unstubAllGlobals()
})

function show(how: 'byPress' | 'byKey' = 'byPress') {
  const onClose = vi.fn()
  const button = document.body.appendChild(document.createElement('button'))
  const store = storeWith(anOffer([aSport({ matches: [MATCH] })]))
  addAlerts(store)
  renderWithProviders(<HistoryCard asked={{ oddId: 101, button, how }} onClose={onClose} />, { store })
  return { onClose, store, button }
}

test('Escape closes the card, and nothing below it', () => {
  const { onClose } = show()
  const below = vi.fn((event: Event) => event.defaultPrevented)
  document.addEventListener('keydown', below)
  fireEvent.keyDown(document.body, { key: 'Escape' })
  document.removeEventListener('keydown', below)
  expect(onClose).toHaveBeenCalledOnce()
  expect(below).toHaveReturnedWith(true)
})

test('Escape in a dialog in front of it is the dialog’s', () => {
  const { onClose } = show()
  const dialog = document.body.appendChild(document.createElement('dialog'))
  dialog.setAttribute('open', '')
  fireEvent.keyDown(dialog, { key: 'Escape' })
  dialog.remove()
  expect(onClose).not.toHaveBeenCalled()
})

test('an alert for a price is set in the card, and removed', async () => {
  const user = userEvent.setup()
  const { store } = show()
  await user.click(screen.getByRole('button', { name: 'Obavijest na višoj kvoti' }))
  await user.click(screen.getByRole('button', { name: 'Javi na 1.95' }))
  expect(selectAlerts(store.getState()).prices).toEqual([{ matchId: 17, oddId: 101, target: 1950, rises: true }])
  expect(screen.getByText('Javit ćemo kad kvota dosegne 1.95.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Ukloni' }))
  expect(selectAlerts(store.getState()).prices).toEqual([])
})

test('an alert is for a higher or a lower price, never for the price of now', async () => {
  const user = userEvent.setup()
  const { store } = show()
  await user.click(screen.getByRole('button', { name: 'Obavijest na nižoj kvoti' }))
  await user.click(screen.getByRole('button', { name: 'Javi na 1.80' }))
  expect(selectAlerts(store.getState()).prices).toMatchObject([{ target: 1800, rises: false }])
})

test('Tab goes through the buttons of the card, and then back to the odd', async () => {
  const user = userEvent.setup()
  const { onClose, button } = show('byKey')
  await user.tab()
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Obavijest na nižoj kvoti' }))
  await user.tab()
  await user.tab()
  expect(onClose).not.toHaveBeenCalled()
  await user.tab()
  expect(onClose).toHaveBeenCalled()
  expect(document.activeElement).toBe(button)
})
