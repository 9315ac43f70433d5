import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { EMPTY_OFFER } from '../domain/offer'
import type { TicketChoice } from '../domain/ticket/ticket'
import {
  addPlacement,
  confirmationAsked,
  outcomeKnown,
  outcomeRead,
  outcomeUnknown,
  placementSent,
  selectPlacement,
} from '../features/placement/placementSlice'
import type { PairChange } from '../features/placement/placementState'
import { betConfirmed, changesAccepted } from '../features/placement/placingSteps'
import { balanceTold, memberSeen, strangerSeen } from '../platform/account/accountSlice'
import { connectionLost, helloReceived } from '../platform/connection/connectionSlice'
import { ticketReceived } from '../platform/connection/hubMessages'
import { offerLoaded } from '../platform/offer/offerSlice'
import { languageChanged } from '../platform/preferences/preferencesSlice'
import { selectChoice } from '../platform/ticket/ticketSelectors'
import { renderWithProviders } from '../testing/renderWithProviders'
import { aPair, aTicket } from '../testing/ticketBuilders'
import { translatePage } from '../testing/translatePage'
import { type AppStore, makeStore } from './store'
import { TicketColumn, TicketLayer } from './TicketViews'

/** Records which pairs render: each pair asks for the name of its match. */
const rendered: (string | null)[] = []

vi.mock('../platform/offer/matchName', () => ({
  matchName: ({ home, away }: { home: string | null; away: string | null }) => {
    rendered.push(home)
    return `${home} – ${away}`
  },
}))

const PAIRS = [
  aPair({ matchId: 1, oddId: 11, home: 'Rijeka', away: 'Osijek', oddValue: 2000 }),
  aPair({ matchId: 2, oddId: 21, home: 'Zadar', away: 'Cibona', oddName: 'X', oddValue: 3000 }),
  aPair({ matchId: 3, oddId: 31, home: 'Split', away: 'Zagreb', oddName: 'Više', sbv: '2.5', oddValue: 1500 }),
]

function storeOf(choice: Partial<TicketChoice> = { pairs: PAIRS, stake: '10.00' }): AppStore {
  const store = makeStore()
  addPlacement(store)
  store.dispatch(helloReceived({ session: 's', version: '1', feed: 'active', serverOffsetMs: 0 }))
  store.dispatch(offerLoaded({ offer: EMPTY_OFFER, feed: 'active', dateMs: null }))
  store.dispatch(memberSeen({ name: 'ana', balance: '100.00', currency: 'EUR' }))
  store.dispatch(ticketReceived(aTicket(choice)))
  return store
}

function show(store = storeOf()) {
  const calls = { place: vi.fn(), placeAgain: vi.fn(), read: vi.fn() }
  const { startListening } = store.listeners
  startListening({ actionCreator: betConfirmed, effect: () => calls.place() })
  startListening({ actionCreator: changesAccepted, effect: ({ payload }) => calls.placeAgain(new Map(payload)) })
  startListening({ actionCreator: outcomeRead, effect: () => calls.read() })
  renderWithProviders(
    <>
      <TicketColumn />
      <TicketLayer isSheet={false} />
    </>,
    { store },
  )
  return { store, calls, user: userEvent.setup() }
}

const wishOf = (store: AppStore) => store.getState().ticket.wishes.at(-1)?.wish

afterEach(() => vi.useRealTimers())

describe('the pairs', () => {
  it('say what is bet on, in which market and match, at which odd', () => {
    show()
    const items = within(screen.getByRole('list', { name: 'Parovi' })).getAllByRole('listitem')
    expect(items.map((item) => item.textContent)).toEqual([
      expect.stringMatching(/^RijekaKonačan ishodRijeka – Osijek2\.00/),
      expect.stringMatching(/^NeriješenoKonačan ishodZadar – Cibona3\.00/),
      expect.stringMatching(/^Više 2\.5Konačan ishod 2\.5Split – Zagreb1\.50/),
    ])
  })

  it('and the button that places them change their texts on a page that the browser has translated', () => {
    const { store } = show()
    translatePage()
    act(() => {
      store.dispatch(
        ticketReceived(aTicket({ pairs: [aPair({ ...PAIRS[0], canBet: false }), ...PAIRS.slice(1)], stake: '500.00' })),
      )
    })
    expect(screen.getByRole('button', { name: /^Uplati 500,00\s€$/ })).toBeTruthy()
    translatePage()
    act(() => {
      store.dispatch(ticketReceived(aTicket({ pairs: PAIRS, stake: '10.00' })))
      store.dispatch(connectionLost())
    })
    expect(screen.getByRole('button', { name: 'Čeka se veza…' })).toBeTruthy()
  })

  it('say how an odd has changed since it was picked, in words too', () => {
    show(storeOf({ pairs: [aPair({ oddValue: 1900, pickedValue: 1850 })] }))
    expect(screen.getByRole('listitem').textContent).toContain('1.90, raste, bila je 1.85')
  })

  it('that cannot be bet on say why, and can be removed together', async () => {
    const { store, user } = show(
      storeOf({ pairs: [...PAIRS.slice(0, 2), aPair({ matchId: 9, canBet: false, reason: 'match_suspended' })] }),
    )
    expect(screen.getByText('Klađenje je trenutačno zaustavljeno')).toBeTruthy()
    const place = screen.getByRole('button', { name: /Uplati/, description: /^1 par se ne može igrati/ })
    expect(place.getAttribute('aria-disabled')).toBe('true')
    await user.click(screen.getByRole('button', { name: 'Ukloni par' }))
    expect(selectChoice(store.getState()).pairs.map(({ matchId }) => matchId)).toEqual([1, 2])
  })

  it('wait while the feed is inactive, and need not be removed', () => {
    const pairs = PAIRS.map((pair) => ({ ...pair, canBet: false, reason: 'feed_inactive' as const }))
    show(storeOf({ pairs }))
    const place = screen.getByRole('button', {
      name: 'Čeka se ponuda…',
      description: /čekaju da ponuda ponovno stigne/,
    })
    expect(place.getAttribute('aria-disabled')).toBe('true')
    expect(screen.queryByRole('button', { name: /^Ukloni par/ })).toBeNull()
    expect(screen.getAllByRole('listitem')[0]?.textContent).toContain('2.00, zaključano')
  })

  it('are removed one by one, and the focus goes to the neighbour', async () => {
    const { store, user } = show()
    await user.click(screen.getByRole('button', { name: 'Ukloni: Rijeka' }))
    expect(selectChoice(store.getState()).pairs.map(({ matchId }) => matchId)).toEqual([2, 3])
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Ukloni: Neriješeno')
  })
})

it('a stake above the balance is told before the bet is placed', () => {
  const { store } = show(storeOf({ pairs: PAIRS, stake: '100.01' }))
  expect(screen.getByText('Na računu nema dovoljno: stanje je 100,00 €.')).toBeTruthy()
  act(() => {
    store.dispatch(balanceTold('100.01'))
  })
  expect(screen.queryByText(/nema dovoljno/)).toBeNull()
})

it('a price that moves renders its pair alone', () => {
  const { store } = show()
  rendered.length = 0
  const pairs = PAIRS.map((pair, place) => (place === 1 ? { ...pair, oddValue: 3100 } : { ...pair }))
  act(() => {
    store.dispatch(ticketReceived(aTicket({ stake: '10.00', pairs })))
  })
  expect(new Set(rendered)).toEqual(new Set(['Zadar']))
})

describe('the stake', () => {
  const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Uplata' })

  it('is typed as it comes, cut to two decimals, and in force at once', async () => {
    const { store, user } = show()
    await user.click(field())
    await user.keyboard('12,345 x')
    expect(field().value).toBe('12,34')
    expect(selectChoice(store.getState()).stake).toBe('12.34')
    expect(screen.getByRole('button', { name: /Uplati/ }).textContent).toContain('12,34')
  })

  it('below 1 or empty is the last valid one', async () => {
    const { store, user } = show()
    await user.clear(field())
    expect(field().value).toBe('')
    expect(field().getAttribute('aria-invalid')).toBe('false')
    await user.type(field(), '0,5')
    expect(selectChoice(store.getState()).stake).toBe('10.00')
    expect(screen.getByRole('textbox', { name: 'Uplata', description: /^Najmanja uplata je 1,00/ })).toBe(field())
    expect(field().getAttribute('aria-invalid')).toBe('true')
    expect(screen.getByRole('button', { name: /Uplati/ }).textContent).toContain('10,00')
    await user.tab()
    expect(screen.queryByText(/^Najmanja uplata/)).toBeNull()
    expect(field().value).toBe('10,00')
  })

  it('above the highest is the highest', async () => {
    const { store, user } = show()
    await user.click(field())
    await user.keyboard('5000000')
    expect(selectChoice(store.getState()).stake).toBe('1000000.00')
  })

  it('goes up and down by 1, never under 1, by buttons and keys', async () => {
    const { store, user } = show(storeOf({ pairs: PAIRS, stake: '1.50' }))
    await user.click(screen.getByRole('button', { name: 'Smanji za 1' }))
    expect(selectChoice(store.getState()).stake).toBe('1.00')
    await user.click(screen.getByRole('button', { name: 'Povećaj za 1' }))
    await user.click(field())
    await user.keyboard('{ArrowUp}{ArrowUp}{ArrowDown}')
    expect(selectChoice(store.getState()).stake).toBe('3.00')
  })

  it('has quick amounts', async () => {
    const { store, user } = show()
    await user.click(screen.getByRole('button', { name: /^\+10/ }))
    expect(selectChoice(store.getState()).stake).toBe('20.00')
  })
})

describe('a system', () => {
  it('is turned to by its tab, with the arrow keys too', async () => {
    const { store, user } = show()
    act(() => screen.getByRole('tab', { name: 'Standardni' }).focus())
    await user.keyboard('{ArrowRight}')
    expect(wishOf(store)).toEqual({ wish: 'type', type: 1 })
    expect(screen.getByRole('tab', { name: 'Sistem', selected: true })).toBe(document.activeElement)
  })

  it('offers its combinations with their counts, and wants one chosen', async () => {
    const { store, user } = show(storeOf({ pairs: PAIRS, stake: '10.00', type: 1 }))
    expect(screen.getAllByRole('radio').map((radio) => radio.closest('label')?.textContent)).toEqual([
      '1/33 komb.',
      '2/33 komb.',
    ])
    expect(screen.getByText('Odaberite barem jednu kombinaciju.')).toBeTruthy()
    await user.click(screen.getByRole('radio', { name: /2\/3/ }))
    expect(wishOf(store)).toEqual({ wish: 'combination', k: 2 })
    expect(screen.queryByText('Odaberite barem jednu kombinaciju.')).toBeNull()
    expect(screen.getByTitle('Dobitak, najmanji i najveći')).toBeTruthy()
  })

  it('fixes pairs', async () => {
    const { store, user } = show(storeOf({ pairs: PAIRS, type: 1 }))
    await user.click(screen.getByRole('button', { name: 'Fiks: Rijeka' }))
    expect(screen.getByRole('button', { name: 'Fiks: Rijeka', pressed: true })).toBeTruthy()
    expect(wishOf(store)).toEqual({ wish: 'fix', matchId: 1, on: true })
    expect(screen.getByText('1 fiks + 2 para')).toBeTruthy()
  })
})

it('the lines between stake and payout can be shown and hidden', async () => {
  const { user } = show()
  const turn = screen.getByRole('button', { name: 'Porezi i dobitak' })
  const wasWhole = turn.getAttribute('aria-expanded') === 'true'
  const taxes = () => screen.queryAllByText('Porez na uplatu').length
  expect(taxes()).toBe(wasWhole ? 1 : 0)
  await user.click(turn)
  expect(turn.getAttribute('aria-expanded')).toBe(String(!wasWhole))
  expect(taxes()).toBe(wasWhole ? 0 : 1)
  expect(screen.getByText('Ukupna kvota')).toBeTruthy()
  await user.click(turn)
  expect(taxes()).toBe(wasWhole ? 1 : 0)
})

it.each([
  ['hr', 'Porez na uplatu (7,5 %)'],
  ['en', 'Porez na uplatu (7.5%)'],
] as const)('a tax is written as in %s', async (language, text) => {
  const store = storeOf()
  store.dispatch(languageChanged(language))
  store.dispatch(ticketReceived({ ...aTicket({ pairs: PAIRS, stake: '10.00' }), stakeTaxPercentage: 7.5 }))
  const { user } = show(store)
  const turn = screen.getByRole('button', { name: 'Porezi i dobitak' })
  if (turn.getAttribute('aria-expanded') === 'false') {
    await user.click(turn)
  }
  expect(screen.getByText(text)).toBeTruthy()
})

it('the consent is chosen', async () => {
  const { store, user } = show()
  await user.selectOptions(screen.getByRole('combobox', { name: 'Kad se kvota promijeni' }), 'Prihvati svaku')
  expect(wishOf(store)).toEqual({ wish: 'consent', consent: 'any' })
})

it('all pairs are cleared, and a toast offers them back', async () => {
  const { store, user } = show()
  await user.click(screen.getByRole('button', { name: 'Obriši sve parove' }))
  expect(screen.getByText('Listić je prazan')).toBeTruthy()
  expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Listić' }))
  expect(store.getState().notices.notices).toMatchObject([{ key: 'ticketCleared', act: { key: 'undo' } }])
})

describe('placing', () => {
  const place = () => screen.getByRole('button', { name: /Uplati/ })

  it('asks, and says yes once however fast it is pressed', async () => {
    const { user, calls } = show()
    await user.click(place())
    const dialog = screen.getByRole('dialog', { name: 'Potvrdite uplatu listića' })
    expect(dialog.textContent).toContain('Standardni listić, 3 para')
    await user.dblClick(within(dialog).getByRole('button', { name: /Uplati/ }))
    expect(calls.place).toHaveBeenCalledTimes(1)
  })

  it('says in the question that it waits while the connection is lost', async () => {
    const { store, user } = show()
    await user.click(place())
    const dialog = screen.getByRole('dialog')
    act(() => {
      store.dispatch(connectionLost())
    })
    const yes = within(dialog).getByRole('button', { name: 'Čeka se veza…' })
    expect(yes.getAttribute('aria-disabled')).toBe('true')
    await user.click(within(dialog).getByRole('button', { name: 'Odustani' }))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('can be declined by Escape', async () => {
    const { store, user } = show()
    await user.click(place())
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(selectPlacement(store.getState()).stage).toBe('idle')
  })

  it('begins by Alt+Enter anywhere in the ticket', async () => {
    const { user } = show()
    await user.click(screen.getByRole('textbox'))
    await user.keyboard('{Alt>}{Enter}{/Alt}')
    expect(screen.getByRole('dialog', { name: 'Potvrdite uplatu listića' })).toBeTruthy()
  })

  it.each<[string, Partial<TicketChoice>, string]>([
    [
      'with a pair that cannot be bet on',
      { pairs: [aPair({ canBet: false }), ...PAIRS], type: 1 },
      'liveRemoveDisabledPairs',
    ],
    ['without a combination', { pairs: PAIRS, type: 1 }, 'liveAtLeastOneComb'],
    ['of nothing', {}, 'liveEmptyTicketPairs'],
  ])('%s is warned of', async (_, choice, warning) => {
    const { store, user } = show(storeOf(choice))
    act(() => screen.getByRole('heading', { name: 'Listić' }).focus())
    await user.keyboard('{Alt>}{Enter}{/Alt}')
    expect(store.getState().notices.notices.map(({ key }) => key)).toEqual([warning])
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('leads a stranger to the login', async () => {
    const { store, user } = show()
    act(() => {
      store.dispatch(strangerSeen())
    })
    await user.click(place())
    expect(store.getState().view).toMatchObject({ page: 'login', loginForTicket: true })
  })

  it('waits with its seconds counted down, and no way out', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const { store, user } = show()
    await user.click(place())
    act(() => {
      store.dispatch(placementSent({ sentMs: Date.now(), delaySeconds: 5 }))
    })
    expect(screen.getByRole('dialog', { name: 'Listić se obrađuje…' }).textContent).toContain('Još 5 sekundi')
    await user.keyboard('{Escape}')
    expect(screen.getByRole('dialog', { name: 'Listić se obrađuje…' })).toBeTruthy()
  })

  it('ends with a receipt', async () => {
    const { store, user, calls } = show()
    const receipt = {
      message: 'Sretno!',
      ticketId: 'T1',
      ticketNumber: 'K7Q-4M2X',
      stake: '10.00',
      totalOdd: '9',
      payout: '90.00',
      balance: '90.00',
    }
    act(() => {
      store.dispatch(outcomeKnown({ kind: 'accepted', receipt }))
    })
    const dialog = screen.getByRole('dialog', { name: 'Hvala, listić je zaprimljen.' })
    expect(dialog.textContent).toContain('Sretno!')
    expect(dialog.textContent).toContain('K7Q-4M2X')
    expect(dialog.textContent).toContain('Ukupna kvota9.00')
    act(() => {
      store.dispatch(outcomeKnown({ kind: 'accepted', receipt: { ...receipt, totalOdd: undefined } }))
    })
    expect(dialog.textContent).not.toContain('Ukupna kvota')
    expect(dialog.textContent).toContain('Moguća isplata, najveća')
    await user.click(within(dialog).getByRole('button', { name: 'Nastavi' }))
    expect(calls.read).toHaveBeenCalledTimes(1)
  })

  it('says what came of it at once, from within the dialog that waited', () => {
    const { store } = show()
    act(() => {
      store.dispatch(confirmationAsked(0))
      store.dispatch(placementSent({ sentMs: Date.now(), delaySeconds: 5 }))
    })
    const dialog = screen.getByRole('dialog')
    const voice = within(dialog).getByRole('alert')
    expect(voice.textContent).toBe('')
    act(() => {
      store.dispatch(outcomeKnown({ kind: 'refused', reason: 'Kvota se promijenila.' }))
    })
    expect(screen.getByRole('alertdialog')).toBe(dialog)
    expect(within(dialog).getByRole('alert')).toBe(voice)
    expect(voice.textContent).toBe('Listić nije zaprimljen. Kvota se promijenila.')
  })

  it.each([
    [{ kind: 'refused', reason: 'Kvota se promijenila.' }, 'Listić nije zaprimljen.', 'Kvota se promijenila.'],
    [{ kind: 'failed' }, 'Listić nije zaprimljen.', 'Pokušajte ponovno malo kasnije.'],
  ] as const)('ends with a refusal: %o', (outcome, title, text) => {
    const { store } = show()
    act(() => {
      store.dispatch(outcomeKnown(outcome))
    })
    expect(screen.getByRole('alertdialog', { name: title }).textContent).toContain(text)
  })

  it('without an answer shows a popup that has no button', () => {
    const { store } = show()
    act(() => {
      store.dispatch(outcomeUnknown({ said: 'popup' }))
    })
    const popup = screen.getByRole('alertdialog', { name: 'Došlo je do pogreške u komunikaciji.' })
    expect(popup.textContent).toContain('Pokušajte ponovno malo kasnije.')
    expect(within(popup).queryAllByRole('button')).toEqual([])
  })

  it('whose outcome is not known says so in the ticket, and takes no other bet', async () => {
    const { store, user } = show()
    act(() => {
      store.dispatch(outcomeUnknown({}))
    })
    expect(screen.getByText('Još ne znamo je li listić zaprimljen')).toBeTruthy()
    await user.click(place())
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})

describe('a bet rejected because of its pairs', () => {
  const rejected = (...changes: readonly PairChange[]) =>
    outcomeKnown({ kind: 'refused', reason: 'Kvota se promijenila.', changes })
  const change = (matchId: number, currentValue: number | null, reason: PairChange['reason'] = null): PairChange => ({
    matchId,
    oddId: matchId * 10 + 1,
    sentValue: PAIRS[matchId - 1]?.oddValue ?? 0,
    currentValue,
    reason,
  })
  const dialog = () => screen.getByRole('alertdialog', { name: 'Listić nije zaprimljen.' })
  const items = () =>
    within(dialog())
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent)

  function reject(...changes: readonly PairChange[]) {
    const shown = show()
    act(() => {
      shown.store.dispatch(rejected(...changes))
    })
    return shown
  }

  it('lists all changes, and is placed at the new odds by one press', async () => {
    const { user, calls } = reject(change(1, 1900), change(2, 3200))
    expect(items()).toEqual([
      expect.stringMatching(/^Rijeka2\.00→1\.90, pada, bila je 2\.00Konačan ishod/),
      expect.stringMatching(/^Neriješeno3\.00→3\.20, raste, bila je 3\.00Konačan ishod/),
    ])
    // 10.00 x 1.9 x 3.2 x 1.5
    expect(dialog().querySelector('[data-payout]')?.textContent).toContain('91,20')
    await user.click(within(dialog()).getByRole('button', { name: /^Prihvati i uplati 10,00/ }))
    expect(calls.placeAgain).toHaveBeenCalledWith(
      new Map([
        [1, 1900],
        [2, 3200],
        [3, 1500],
      ]),
    )
  })

  it('follows the odds that change while it is read', () => {
    const { store } = reject(change(1, 1900))
    act(() => {
      store.dispatch(
        ticketReceived(
          aTicket({
            stake: '10.00',
            pairs: PAIRS.map((pair) => ({ ...pair, oddValue: pair.matchId === 3 ? 1450 : 1800 })),
          }),
        ),
      )
    })
    expect(items()).toEqual([
      expect.stringMatching(/^Rijeka2\.00→1\.80/),
      expect.stringMatching(/^Neriješeno3\.00→1\.80/),
      expect.stringMatching(/^Više 2\.5.*→1\.45/),
    ])
  })

  it('waits for a suspended pair, and is placed when it can be bet on again', async () => {
    const { store, user, calls } = reject(change(2, 3000, 'match_suspended'))
    expect(items()).toEqual([expect.stringMatching(/Klađenje je trenutačno zaustavljeno$/)])
    const waiting = within(dialog()).getByRole('button', { name: 'Čeka se 1 par…' })
    await user.click(waiting)
    expect(calls.placeAgain).not.toHaveBeenCalled()
    const locked = (canBet: boolean) =>
      PAIRS.map((pair) =>
        pair.matchId === 2 && !canBet ? { ...pair, canBet, reason: 'match_suspended' as const } : pair,
      )
    act(() => {
      store.dispatch(ticketReceived(aTicket({ stake: '10.00', pairs: locked(false) })))
    })
    expect(within(dialog()).getByRole('button', { name: 'Čeka se 1 par…' })).toBe(waiting)
    vi.useFakeTimers()
    act(() => {
      store.dispatch(
        ticketReceived(aTicket({ stake: '10.00', pairs: locked(true).map((pair) => ({ ...pair, oddValue: 2000 })) })),
      )
    })
    expect(waiting.textContent).toMatch(/^Prihvati i uplati 10,00/)
  })

  it('is placed without the suspended pair', async () => {
    const { store, user, calls } = reject(change(2, null, 'market_settled'))
    expect(within(dialog()).queryByRole('button', { name: /^Čeka se/ })).toBeNull()
    expect(dialog().textContent).toMatch(/Moguća isplata bez tog para30,00/)
    await user.click(within(dialog()).getByRole('button', { name: /^Uplati 10,00.* bez tog para$/ }))
    expect(selectChoice(store.getState()).pairs.map(({ matchId }) => matchId)).toEqual([1, 3])
    expect(calls.placeAgain).toHaveBeenCalledTimes(1)
  })

  it('is closed by Escape', async () => {
    const { user, calls } = reject(change(1, 1900))
    await user.keyboard('{Escape}')
    expect(calls.read).toHaveBeenCalledTimes(1)
  })
})
