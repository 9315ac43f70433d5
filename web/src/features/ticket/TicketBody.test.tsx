import { expect, it } from 'vitest'
import { makeStore } from '../../app/store'
import type { TicketChoice } from '../../domain/ticket/ticket'
import { ticketReceived } from '../../platform/connection/hubMessages'
import { renderWithProviders } from '../../testing/renderWithProviders'
import { aPair, aTicket } from '../../testing/ticketBuilders'
import { TicketPanel } from './TicketPanel'

const PAIR = aPair({ oddValue: 2000 })
const SLOTS = { placeButton: null, onPlace: () => undefined, onShare: () => undefined }

it.each<[string, Partial<TicketChoice>, RegExp]>([
  ['a single', { pairs: [PAIR] }, /^\d+,\d\d\s€$/],
  ['a system of one pair', { pairs: [PAIR], type: 1 }, /^–$/],
  ['a system without a chosen combination', { pairs: [PAIR, aPair({})], type: 1 }, /^–$/],
])('the payout of %s is an amount only if it can be calculated', (_, choice, payout) => {
  const store = makeStore()
  store.dispatch(ticketReceived(aTicket({ stake: '10.00', ...choice })))
  const { container } = renderWithProviders(<TicketPanel slots={SLOTS} />, { store })
  expect(container.querySelector('[data-payout]')?.textContent).toMatch(payout)
})
