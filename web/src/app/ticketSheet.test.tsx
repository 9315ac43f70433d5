import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { EMPTY_OFFER } from '../domain/offer'
import { Announcer } from '../features/notices/Announcer'
import { NoticeToasts } from '../features/notices/NoticeToasts'
import { addPlacement } from '../features/placement/placementSlice'
import { helloReceived } from '../platform/connection/connectionSlice'
import { ticketReceived } from '../platform/connection/hubMessages'
import { startAnnouncements } from '../platform/notices/announcementsListeners'
import { noticeShown } from '../platform/notices/noticesSlice'
import { offerLoaded } from '../platform/offer/offerSlice'
import { ticketTurned } from '../platform/view/viewSlice'
import { renderWithProviders } from '../testing/renderWithProviders'
import { aPair, aTicket } from '../testing/ticketBuilders'
import { type AppDispatch, makeStore, type RootState } from './store'
import { TicketLayer } from './TicketViews'

function showSheet(choice: Parameters<typeof aTicket>[0] = {}) {
  const store = makeStore()
  addPlacement(store)
  startAnnouncements(store, store.listeners.startListening.withTypes<RootState, AppDispatch>())
  store.dispatch(helloReceived({ session: 's', version: '1', feed: 'active', serverOffsetMs: 0 }))
  store.dispatch(offerLoaded({ offer: EMPTY_OFFER, feed: 'active', dateMs: null }))
  store.dispatch(
    ticketReceived(aTicket({ pairs: [aPair({ canBet: false, reason: 'match_suspended' }), aPair({})], ...choice })),
  )
  store.dispatch(ticketTurned(true))
  renderWithProviders(
    <>
      <TicketLayer isSheet toasts={<NoticeToasts />} />
      <Announcer />
    </>,
    { store },
  )
  return { store, sheet: screen.getByRole('dialog', { name: 'Listić' }) }
}

it('a message is announced inside the open sheet, outside which everything is inert', async () => {
  const { store, sheet } = showSheet()
  const status = within(sheet).getByRole('status')
  act(() => {
    store.dispatch(noticeShown('placedElsewhere'))
  })
  await expect.poll(() => status.textContent).toMatch(/\S/)
  expect(screen.getAllByRole('status')).toEqual([status])
})

it('a press of the disabled button says why inside the sheet, also to screen readers', async () => {
  const { sheet } = showSheet()
  const user = userEvent.setup()
  await user.click(within(sheet).getByRole('button', { name: /^Uplati/ }))
  await expect.poll(() => within(sheet).getByRole('status').textContent).toBe('Uklonite parove koji se ne mogu igrati.')
  expect(within(sheet).getByRole('region', { name: 'Poruke' }).textContent).toContain('Uklonite parove')
  expect(within(sheet).getByRole('button', { name: 'Ukloni par' })).toBeTruthy()
})

it.each([0, 1] as const)('has quick stakes for every type of ticket: %i', (type) => {
  const { sheet } = showSheet({ type })
  expect(within(sheet).getByRole('button', { name: /^\+10\s€$/ })).toBeTruthy()
})
