import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { makeStore } from '../../app/store'
import { ticketReceived } from '../../platform/connection/hubMessages'
import { renderWithProviders } from '../../testing/renderWithProviders'
import { aPair, aTicket } from '../../testing/ticketBuilders'
import { TicketPanel } from './TicketPanel'

const OTHERS = { placeButton: null, onPlace: () => undefined, onShare: () => undefined }

function show(openBets: { count: number | null; content: string } | null) {
  const store = makeStore()
  store.dispatch(ticketReceived(aTicket({ pairs: [aPair({})] })))
  renderWithProviders(<TicketPanel slots={{ ...OTHERS, openBets }} />, { store })
  return { store, user: userEvent.setup() }
}

describe('the open bets', () => {
  it('are a tab beside the ticket, reached with the arrow keys', async () => {
    const { user } = show({ count: 3, content: 'the bets' })
    expect(screen.getByRole('tab', { name: 'Listić 1 par', selected: true })).toBeTruthy()
    act(() => screen.getByRole('tab', { name: /^Listić/ }).focus())
    await user.keyboard('{ArrowRight}')
    expect(screen.getByRole('tab', { name: 'Otvorene 3', selected: true })).toBe(document.activeElement)
    expect(screen.getByRole('tabpanel', { name: 'Otvorene' }).textContent).toBe('the bets')
    expect(screen.queryByRole('button', { name: 'Obriši sve parove' })).toBeNull()
  })

  it('give way to the ticket when an odd is picked', async () => {
    const { store, user } = show({ count: null, content: 'the bets' })
    await user.click(screen.getByRole('tab', { name: 'Otvorene' }))
    act(() => {
      store.dispatch(ticketReceived(aTicket({ pairs: [...(store.getState().ticket.told?.pairs ?? []), aPair({})] })))
    })
    expect(screen.getByRole('tab', { name: 'Listić 2 para', selected: true })).toBeTruthy()
    expect(screen.getAllByRole('listitem')).toHaveLength(2)
  })

  it('are not there before a login', () => {
    show(null)
    expect(screen.queryByRole('tab', { name: /^Otvorene/ })).toBeNull()
    expect(screen.getByRole('heading', { name: 'Listić' })).toBeTruthy()
  })
})
