import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { type AppDispatch, makeStore, type RootState } from '../../app/store'
import { EMPTY_OFFER } from '../../domain/offer'
import type { TicketChoice, TicketPair } from '../../domain/ticket/ticket'
import { addProtection, exclusionStarted } from '../../platform/account/protectionSlice'
import { helloReceived } from '../../platform/connection/connectionSlice'
import { ticketReceived } from '../../platform/connection/hubMessages'
import { offerLoaded } from '../../platform/offer/offerSlice'
import { selectChoice } from '../../platform/ticket/ticketSelectors'
import { selectTicket } from '../../platform/ticket/totalsSelectors'
import { renderWithProviders } from '../../testing/renderWithProviders'
import { aPair, aTicket } from '../../testing/ticketBuilders'
import { startRestore } from '../ticket/restore'
import { PlacementDialogs } from './PlacementDialogs'
import { addPlacement, confirmationAsked, outcomeKnown, outcomeUnknown } from './placementSlice'
import { betConfirmed } from './placingSteps'

const PAIRS = [
  aPair({ matchId: 1, oddId: 11, home: 'Rijeka', away: 'Osijek', oddValue: 2000, isFix: true }),
  aPair({ matchId: 2, oddId: 21, home: 'Zadar', away: 'Cibona', oddName: 'X', oddValue: 3000 }),
  aPair({ matchId: 3, oddId: 31, home: 'Split', away: 'Zagreb', oddName: '2', oddValue: 1500 }),
]
const SYSTEM = { pairs: PAIRS, stake: '10.00', type: 1, combination: 1 } as const

function show(choice: Partial<TicketChoice>) {
  const store = makeStore()
  addPlacement(store)
  store.dispatch(helloReceived({ session: 's', version: '1', feed: 'active', serverOffsetMs: 0 }))
  store.dispatch(offerLoaded({ offer: EMPTY_OFFER, feed: 'active', dateMs: null }))
  store.dispatch(ticketReceived(aTicket(choice)))
  const confirmed = vi.fn()
  store.listeners.startListening({ actionCreator: betConfirmed, effect: () => confirmed() })
  renderWithProviders(<PlacementDialogs />, { store })
  return {
    store,
    confirmed,
    user: userEvent.setup(),
    ask: () => act(() => store.dispatch(confirmationAsked(0))),
    change: (id: number, to: Partial<TicketPair>) =>
      act(() => {
        const pairs = selectTicket(store.getState()).pairs.map((pair) =>
          pair.matchId === id ? { ...pair, ...to } : pair,
        )
        store.dispatch(ticketReceived(aTicket({ ...choice, pairs })))
      }),
  }
}

const dialog = () => screen.getByRole('dialog')
const items = () =>
  within(dialog())
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)

describe('a system', () => {
  it('is confirmed with its fixed pairs and the stake of a combination', () => {
    show(SYSTEM).ask()
    expect(items()).toEqual([
      expect.stringMatching(/^Rijeka Fiks2\.00/),
      expect.stringMatching(/^Neriješeno3\.00/),
      expect.stringMatching(/^Zagreb1\.50/),
    ])
    expect(dialog().textContent).toMatch(/Uplata po kombinaciji5,00/)
  })

  it('is receipted with its kind, its fixed pairs and the accepted odds', () => {
    const { store } = show(SYSTEM)
    const pairs = PAIRS.map((pair) => (pair.matchId === 2 ? { ...pair, oddValue: 3200 } : pair))
    const receipt = { message: '', ticketId: 'T1', stake: '10.00', payout: '60.00', balance: null }
    act(() => {
      store.dispatch(outcomeKnown({ kind: 'accepted', receipt: { ...receipt, ticket: aTicket({ ...SYSTEM, pairs }) } }))
    })
    expect(dialog().textContent).toContain('Sistem 1/2, 2 kombinacije')
    expect(dialog().textContent).toMatch(/Uplata po kombinaciji5,00/)
    expect(items()).toEqual([
      expect.stringMatching(/^Rijeka Fiks2\.00/),
      expect.stringMatching(/^Neriješeno3\.20Konačan/),
      expect.stringMatching(/^Zagreb1\.50/),
    ])
  })

  it('that was taken can be kept on the ticket, as a system with its fixed pairs', async () => {
    const { store, user } = show({ pairs: [] })
    startRestore(store.listeners.startListening.withTypes<RootState, AppDispatch>())
    const receipt = { message: '', ticketId: 'T1', stake: '10.00', payout: '60.00', balance: null }
    act(() => {
      store.dispatch(outcomeKnown({ kind: 'accepted', receipt: { ...receipt, ticket: aTicket(SYSTEM) } }))
    })
    await user.click(within(dialog()).getByRole('button', { name: 'Zadrži parove' }))
    expect(screen.queryByRole('dialog')).toBeNull()
    const choice = selectChoice(store.getState())
    expect(choice).toMatchObject({ type: 1, combination: 1 })
    expect(choice.pairs.map(({ oddId, isFix }) => [oddId, isFix])).toEqual([
      [11, true],
      [21, false],
      [31, false],
    ])
  })

  it('cannot be kept during an exclusion', () => {
    const { store } = show({ pairs: [] })
    addProtection(store)
    const receipt = { message: '', ticketId: 'T1', stake: '10.00', payout: '60.00', balance: null }
    act(() => {
      store.dispatch(exclusionStarted({ kind: 'self_exclusion', until: null }))
      store.dispatch(outcomeKnown({ kind: 'accepted', receipt: { ...receipt, ticket: aTicket(SYSTEM) } }))
    })
    expect(within(dialog()).queryByRole('button', { name: 'Zadrži parove' })).toBeNull()
  })
})

it('a market is named with its line', () => {
  const [first] = PAIRS
  show({ pairs: [{ ...first, marketName: 'Sljedeći gol', marketType: 7, sbv: '3' }] as TicketPair[] }).ask()
  expect(items()).toEqual([expect.stringMatching(/^Rijeka \(3\. gol\)2\.00Sljedeći gol 3, /)])
})

it('a standard ticket has no fixed pairs and no stake of a combination', () => {
  show({ ...SYSTEM, type: 0 }).ask()
  expect(dialog().textContent).not.toMatch(/Fiks|po kombinaciji/)
})

describe('while the confirmation is open', () => {
  const STANDARD = { pairs: PAIRS, stake: '10.00' } as const
  const placing = (name: RegExp) => within(dialog()).getByRole('button', { name })

  it('a price that moves is shown with the price before, in words too', () => {
    const { ask, change } = show(STANDARD)
    change(1, { oddValue: 2100 })
    ask()
    expect(items()[0]).toMatch(/^Rijeka2\.10Konačan/)
    change(1, { oddValue: 2200 })
    expect(items()[0]).toMatch(/^Rijeka2\.10→2\.20, raste, bila je 2\.10/)
    expect(placing(/^Uplati 10,00/)).toBeTruthy()
    change(1, { oddValue: 2000 })
    expect(items()[0]).toMatch(/^Rijeka2\.10→2\.00, pada, bila je 2\.10/)
    expect(placing(/^Prihvati i uplati 10,00/)).toBeTruthy()
  })

  it('a pair that is suspended is shown with the reason, and the bet waits for it', async () => {
    const { ask, change, confirmed, user } = show(STANDARD)
    ask()
    change(2, { canBet: false, reason: 'match_suspended' })
    expect(items()[1]).toMatch(/Klađenje je trenutačno zaustavljeno$/)
    const button = placing(/^Čeka se 1 par/)
    expect(button.getAttribute('aria-disabled')).toBe('true')
    await user.click(button)
    expect(confirmed).not.toHaveBeenCalled()
    change(2, { canBet: true, reason: null })
    await user.click(button)
    expect(confirmed).toHaveBeenCalledTimes(1)
  })

  it('a bet does not wait for a pair that will never be bettable again, and is not placed', async () => {
    const { ask, change, confirmed, user } = show(STANDARD)
    ask()
    change(2, { canBet: false, reason: 'market_settled' })
    const button = placing(/^Uplati 10,00/)
    expect(button.getAttribute('aria-disabled')).toBe('true')
    await user.click(button)
    expect(confirmed).not.toHaveBeenCalled()
  })

  it.each([
    ['higher', 0],
    ['none', 0],
    ['any', 1],
  ] as const)('a press right after a fall, with consent to "%s", places %i bets', (consent, early) => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { ask, change, confirmed } = show({ ...STANDARD, consent })
    ask()
    change(1, { oddValue: 1900 })
    const press = () => act(() => placing(/^Prihvati/).click())
    vi.advanceTimersByTime(399)
    press()
    expect(confirmed).toHaveBeenCalledTimes(early)
    vi.advanceTimersByTime(1)
    press()
    expect(confirmed).toHaveBeenCalledTimes(early + 1)
    vi.useRealTimers()
  })
})

it('an answer that leaves the outcome unknown says so first, and then the message of the contract', () => {
  const { store } = show({ pairs: PAIRS })
  act(() => {
    store.dispatch(outcomeUnknown({ said: 'error' }))
  })
  const unknown = screen.getByRole('alertdialog', { name: 'Još ne znamo je li listić zaprimljen' })
  expect(within(unknown).getByRole('alert').textContent).toMatch(/zaprimljen\. Pitamo poslužitelj/)
  expect([...unknown.querySelectorAll('p')].map(({ textContent }) => textContent)).toEqual([
    'Pitamo poslužitelj dok ne odgovori. Ne uplaćujte ponovno dok ne javimo ishod.',
    'Poruka o pogrešci: Listić nije zaprimljen. Pokušajte ponovno malo kasnije.',
  ])
})
