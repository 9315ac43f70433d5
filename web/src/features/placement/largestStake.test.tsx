import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { makeStore } from '../../app/store'
import { EMPTY_OFFER } from '../../domain/offer'
import { DEFAULT_RULES } from '../../domain/ticket/rules'
import { balanceTold, memberSeen, type User } from '../../platform/account/accountSlice'
import { helloReceived } from '../../platform/connection/connectionSlice'
import { ticketReceived } from '../../platform/connection/hubMessages'
import { offerLoaded } from '../../platform/offer/offerSlice'
import { rulesTold } from '../../platform/ticket/rulesSlice'
import { selectChoice } from '../../platform/ticket/ticketSelectors'
import { placingResumed } from '../../platform/view/requests'
import { renderWithProviders } from '../../testing/renderWithProviders'
import { aPair, aTicket } from '../../testing/ticketBuilders'
import { PlaceButton } from './PlaceButton'
import { PlacementDialogs } from './PlacementDialogs'
import { addPlacement, confirmationAsked, outcomeKnown } from './placementSlice'
import { startResume } from './resume'

const ANA: User = { name: 'ana', balance: '1000.00', currency: 'EUR', cashier: 'demo' }

function show({ stake = '5000.00', user = ANA }: { stake?: string; user?: User } = {}) {
  const store = makeStore()
  addPlacement(store)
  store.dispatch(helloReceived({ session: 's', version: '1', feed: 'active', serverOffsetMs: 0 }))
  store.dispatch(offerLoaded({ offer: EMPTY_OFFER, feed: 'active', dateMs: null }))
  store.dispatch(memberSeen(user))
  store.dispatch(ticketReceived(aTicket({ stake, pairs: [aPair({}), aPair({})] })))
  renderWithProviders(
    <>
      <PlaceButton />
      <PlacementDialogs />
    </>,
    { store },
  )
  return {
    store,
    user: userEvent.setup(),
    stake: () => selectChoice(store.getState()).stake,
    stage: () => store.getState().placement.stage,
  }
}

const button = (name: RegExp) => screen.getByRole('button', { name })

describe('a stake above the balance', () => {
  it('is not placed: the button offers the largest one, and one press sets it', async () => {
    const { user, stake, stage } = show()
    expect(screen.queryByRole('button', { name: /^Uplati / })).toBeNull()
    const place = button(/^Max 1\.000,00\s€$/)
    await user.dblClick(place)
    expect(stake()).toBe('1000.00')
    expect(stage()).toBe('idle')
    expect(button(/^Uplati 1\.000,00\s€$/)).toBe(place)
    expect(document.activeElement).toBe(place)
    await user.click(place)
    expect(stage()).toBe('confirming')
  })

  it('leads to the cashier, if there is one', async () => {
    const { store, user } = show()
    await user.click(button(/^Uplata na račun$/))
    expect(store.getState().view.panel).toBe('cashier')
  })

  it.each(['none', undefined])('without a cashier (%s) offers no deposit', (cashier) => {
    const { cashier: _, ...none } = ANA
    show({ user: cashier ? { ...none, cashier } : none })
    expect(screen.getByText(/^Na računu nema dovoljno: stanje je 1\.000,00\s€\.$/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Uplata na račun' })).toBeNull()
  })

  it('with a balance below the lowest stake cannot be lowered', async () => {
    const { user, stake, stage } = show({ stake: '5.00', user: { ...ANA, balance: '0.50' } })
    const place = button(/^Uplati 5,00\s€$/)
    expect(place.getAttribute('aria-disabled')).toBe('true')
    await user.click(place)
    expect([stake(), stage()]).toEqual(['5.00', 'idle'])
    expect(button(/^Uplata na račun$/)).toBeTruthy()
  })

  it('is lowered in the open confirmation, if the balance falls meanwhile', async () => {
    const { store, user, stake } = show({ stake: '50.00' })
    act(() => {
      store.dispatch(confirmationAsked(0))
      store.dispatch(balanceTold('20.00'))
    })
    const dialog = screen.getByRole('dialog')
    await user.click(within(dialog).getByRole('button', { name: /^Max 20,00/ }))
    expect(stake()).toBe('20.00')
    expect(within(dialog).getByRole('button', { name: /^Uplati 20,00/ })).toBeTruthy()
  })

  it('is not confirmed after a login', () => {
    const { store, stage } = show()
    startResume(store.listeners.startListening.withTypes())
    act(() => {
      store.dispatch(placingResumed())
    })
    expect(stage()).toBe('idle')
  })
})

it('a stake above the largest allowed one is lowered to that', async () => {
  const { store, user, stake } = show({ stake: '500.00' })
  act(() => {
    store.dispatch(rulesTold({ rules: { ...DEFAULT_RULES, maxStake: '100.00' }, delays: {} }))
  })
  expect(screen.getByText(/^Najveća uplata je 100,00/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Uplata na račun' })).toBeNull()
  await user.click(button(/^Max 100,00/))
  expect(stake()).toBe('100.00')
})

it('a system of which too few pairs are free says that, instead of asking for a combination', () => {
  const { store } = show({ stake: '5.00' })
  act(() => {
    store.dispatch(ticketReceived(aTicket({ type: 1, pairs: [aPair({}), aPair({ isFix: true })] })))
  })
  expect(screen.getByText('Za sistem su potrebna barem dva para koja nisu fiks.')).toBeTruthy()
  expect(screen.queryByText('Odaberite barem jednu kombinaciju.')).toBeNull()
})

describe('a bet rejected because of its stake', () => {
  function reject(reason: string, { left, user }: { left?: string; user?: User } = {}) {
    const shown = show({ stake: '50.00', ...(user && { user }) })
    act(() => {
      shown.store.dispatch(outcomeKnown({ kind: 'refused', reason, changes: [], ...(left && { left }) }))
    })
    return { ...shown, dialog: within(screen.getByRole('alertdialog')) }
  }

  it.each([
    ['Vaše dnevno ograničenje uloga dopušta još 20.00 EUR.', /dopušta još 20,00\s€\.$/],
    // In any words: the text is only shown.
    ['You can stake 20.00 EUR more today.', /^You can stake 20,00\s€ more today\.$/],
  ])('%s offers what is left, in the format of the page', async (reason, text) => {
    const { dialog, user, stake, stage } = reject(reason, { left: '20.00' })
    expect(dialog.getByText(text, { selector: 'p' })).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: /^Max 20,00\s€$/ }))
    expect([stake(), stage()]).toEqual(['20.00', 'idle'])
  })

  it('by the balance offers what it allows, and a deposit', async () => {
    const { dialog, store, user, stake } = reject('Na računu nema dovoljno.', { user: { ...ANA, balance: '20.00' } })
    expect(dialog.queryByRole('button', { name: 'Ograničenja i zaštita igrača' })).toBeNull()
    expect(dialog.getByRole('button', { name: 'Uplata na račun' })).toBeTruthy()
    await user.click(dialog.getByRole('button', { name: /^Max 20,00\s€$/ }))
    expect([stake(), store.getState().view.panel]).toEqual(['20.00', null])
  })

  it('by an own limit leads to the limits', async () => {
    const { dialog, store, user } = reject('Vaše dnevno ograničenje uloga dopušta još 0.00 EUR.', { left: '0.00' })
    expect(dialog.queryByRole('button', { name: /^Max/ })).toBeNull()
    await user.click(dialog.getByRole('button', { name: 'Ograničenja i zaštita igrača' }))
    expect(store.getState().view.panel).toBe('protection')
  })

  it('for another reason offers nothing', () => {
    const { dialog } = reject('Uplate svih otvorenih oklada mogu iznositi najviše 20.00 EUR.')
    expect(dialog.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['U redu'])
  })
})
