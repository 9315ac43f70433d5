import { afterEach, expect, it, vi } from 'vitest'
import { makeStore } from '../../app/store'
import { ticketReceived } from '../../platform/connection/hubMessages'
import { DEFAULT_PREFERENCES } from '../../platform/preferences/preferencesSlice'
import { renderWithProviders } from '../../testing/renderWithProviders'
import { aPair, aTicket } from '../../testing/ticketBuilders'
import { TicketPanel } from './TicketPanel'
import { prepareFormats } from './ticketFormats'

const SLOTS = { placeButton: null, onPlace: () => undefined, onShare: () => undefined }

afterEach(() => {
  vi.restoreAllMocks()
})

it('a ticket with pairs needs no other number formats than those that were prepared', () => {
  const made = vi.spyOn(Intl, 'NumberFormat')
  prepareFormats('en', 'EUR')
  expect(made).toHaveBeenCalled()
  made.mockClear()
  const store = makeStore({ preferences: { ...DEFAULT_PREFERENCES, language: 'en' } })
  store.dispatch(ticketReceived(aTicket({ stake: '10.00', pairs: [aPair({ oddValue: 2000 })] })))
  const { container } = renderWithProviders(<TicketPanel slots={SLOTS} />, { store })
  expect(container.querySelector('[data-payout]')?.textContent).toMatch(/€\d/)
  expect(made).not.toHaveBeenCalled()
})
