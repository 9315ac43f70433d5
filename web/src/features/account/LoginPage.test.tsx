import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type AppDispatch, makeStore, type RootState } from '../../app/store'
import type { TicketChoice } from '../../domain/ticket/ticket'
import { ticketReceived } from '../../platform/connection/hubMessages'
import { addKeptTicket, ticketKept } from '../../platform/ticket/keptTicketSlice'
import { pageOpened } from '../../platform/view/viewSlice'
import { renderWithProviders } from '../../testing/renderWithProviders'
import { aPair, aTicket } from '../../testing/ticketBuilders'
import { addPlacement } from '../placement/placementSlice'
import { startResume } from '../placement/resume'
import { LoginPage } from './LoginPage'

const fetched = vi.fn<typeof fetch>()

beforeEach(() => {
  fetched.mockReset()
  vi.stubGlobal('fetch', fetched)
})

const json = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status })
const USER = { user: 'ana', balance: '1000.00', currency: 'EUR' }

function show(how: 'login' | 'register', forTicket = false, store = makeStore()) {
  store.dispatch(pageOpened(how, forTicket))
  const { unmount } = renderWithProviders(<LoginPage how={how} />, { store })
  return { store, user: userEvent.setup(), unmount }
}

async function fill(user: ReturnType<typeof userEvent.setup>, name: string, password: string, isAdult = true) {
  if (name) {
    await user.type(screen.getByLabelText('Korisničko ime'), name)
  }
  if (password) {
    await user.type(screen.getByLabelText('Lozinka'), password)
  }
  const adult = screen.queryByRole('checkbox', { name: 'Imam najmanje 18 godina.' })
  if (adult && isAdult) {
    await user.click(adult)
    screen.getByLabelText('Lozinka').focus()
  }
  await user.keyboard('{Enter}')
}

describe('to log in', () => {
  it('leads back to where one came from', async () => {
    fetched.mockResolvedValueOnce(json({})).mockResolvedValueOnce(json(USER))
    const { store, user } = show('login', true)
    expect(screen.getByText('Za uplatu listića potrebna je prijava.')).toBeTruthy()
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 }))
    await fill(user, 'ana', 'lozinka123')
    await waitFor(() => expect(store.getState().account.user?.name).toBe('ana'))
    expect(store.getState().view).toMatchObject({ page: 'list', ticketOpen: true, loginForTicket: false })
    const [url, options] = fetched.mock.calls[0] ?? []
    expect([String(url), options?.method, options?.body]).toEqual([
      '/api/v1/account/login?lang=hr',
      'POST',
      JSON.stringify({ name: 'ana', password: 'lozinka123' }),
    ])
  })

  it('leaves alone who has gone elsewhere before the answer', async () => {
    let answer: (response: Response) => void = () => undefined
    fetched.mockReturnValueOnce(new Promise((resolve) => (answer = resolve))).mockResolvedValueOnce(json(USER))
    const { store, user, unmount } = show('login', true)
    await fill(user, 'ana', 'lozinka123')
    store.dispatch(pageOpened('favourites'))
    unmount()
    answer(json({}))
    await waitFor(() => expect(store.getState().account.user?.name).toBe('ana'))
    expect(store.getState().view).toMatchObject({ page: 'favourites', ticketOpen: false })
  })

  it('says at the field what is missing', async () => {
    const { user } = show('login')
    await user.click(screen.getByRole('button', { name: 'Prijavi se' }))
    expect(screen.getByLabelText('Korisničko ime').getAttribute('aria-invalid')).toBe('true')
    expect(screen.getByText('Upišite korisničko ime.')).toBeTruthy()
    expect(document.activeElement).toBe(screen.getByLabelText('Korisničko ime'))
    expect(fetched).not.toHaveBeenCalled()
  })

  it.each([
    [401, 'Korisničko ime ili lozinka nisu točni.'],
    [429, 'Previše pokušaja. Pričekajte malo pa pokušajte ponovno.'],
    [503, 'Došlo je do pogreške u komunikaciji. Pokušajte ponovno malo kasnije.'],
  ])('with an answer of %i says: %s', async (status, text) => {
    fetched.mockResolvedValueOnce(json({}, status))
    const { store, user } = show('login')
    await fill(user, 'ana', 'lozinka123')
    await waitFor(() => expect(screen.getByText(text)).toBeTruthy())
    expect(store.getState().account.status).toBe('unknown')
  })

  it('lets password managers do their work', () => {
    show('login')
    expect(screen.getByLabelText('Korisničko ime').getAttribute('autocomplete')).toBe('username')
    expect(screen.getByLabelText('Lozinka').getAttribute('autocomplete')).toBe('current-password')
  })
})

describe('after a login that placing has caused', () => {
  async function logIn(choice: Partial<TicketChoice>) {
    fetched.mockResolvedValueOnce(json({})).mockResolvedValueOnce(json(USER))
    const store = makeStore()
    addPlacement(store)
    startResume(store.listeners.startListening.withTypes<RootState, AppDispatch>())
    store.dispatch(ticketReceived(aTicket(choice)))
    const { user } = show('login', true, store)
    await fill(user, 'ana', 'lozinka123')
    await waitFor(() => expect(store.getState().account.status).toBe('member'))
    await waitFor(() => expect(store.getState().view.ticketOpen).toBe(true))
    // There is no ticket on this page to wait for.
    await act(() => new Promise((resolve) => setTimeout(resolve, 700)))
    return { store, stage: () => store.getState().placement.stage }
  }

  it('the confirmation is open again', async () => {
    const { stage } = await logIn({ pairs: [aPair({})] })
    expect(stage()).toBe('confirming')
  })

  it('the confirmation is open as soon as the new session has the pairs', async () => {
    const { stage, store } = await logIn({})
    expect(stage()).toBe('idle')
    store.dispatch(ticketReceived(aTicket({ pairs: [aPair({})] })))
    await waitFor(() => expect(stage()).toBe('confirming'))
  })

  it('a ticket that cannot be placed is shown only', async () => {
    const { stage } = await logIn({ pairs: [aPair({ canBet: false, reason: 'match_suspended' })] })
    expect(stage()).toBe('idle')
  })
})

describe('to open an account', () => {
  it('wants a password of 8 characters', async () => {
    const { user } = show('register')
    await fill(user, 'ana', 'kratka')
    expect(screen.getByText('Lozinka mora imati barem 8 znakova.')).toBeTruthy()
    expect(fetched).not.toHaveBeenCalled()
  })

  it('says which names are possible, before and after one is not', async () => {
    const rule = 'Ime mora imati od 1 do 64 znakova: slova, znamenke, razmaci i . _ - + @'
    const { user } = show('register')
    const field = screen.getByRole('textbox', { name: 'Korisničko ime', description: rule })
    await fill(user, 'ana!', 'lozinka123')
    expect(field.getAttribute('aria-invalid')).toBe('true')
    expect(screen.getByText(rule)).toBeTruthy()
    expect(fetched).not.toHaveBeenCalled()
  })

  it.each(['a', 'Ана Ћирић', 'ana.h_1-2+3@kvota', '\u0061\u0301'.normalize('NFC')])(
    'takes the name %s',
    async (name) => {
      fetched.mockResolvedValueOnce(json({}, 201)).mockResolvedValueOnce(json(USER))
      const { user } = show('register')
      await fill(user, name, 'lozinka123')
      await waitFor(() => expect(fetched).toHaveBeenCalled())
    },
  )

  it('wants the confirmation of age before anything is sent', async () => {
    const { user } = show('register')
    await fill(user, 'ana', 'lozinka123', false)
    const adult = screen.getByRole('checkbox', { name: 'Imam najmanje 18 godina.' })
    expect(adult.getAttribute('aria-invalid')).toBe('true')
    expect(document.activeElement).toBe(adult)
    expect(screen.getByText(/^Račun mogu otvoriti samo punoljetne osobe\./)).toBeTruthy()
    expect(fetched).not.toHaveBeenCalled()
  })

  it('for a ticket says that an account is needed, not a login', () => {
    show('register', true)
    expect(screen.getByText('Za uplatu listića potreban je račun.')).toBeTruthy()
    expect(screen.queryByText('Za uplatu listića potrebna je prijava.')).toBeNull()
  })

  it('says at the field that the name is taken, in the server’s words', async () => {
    fetched.mockResolvedValueOnce(json({ message: 'x', modelState: { error: ['Ime je zauzeto.'] } }, 400))
    const { user } = show('register')
    await fill(user, 'ana', 'lozinka123')
    await waitFor(() => expect(screen.getByText('Ime je zauzeto.')).toBeTruthy())
    expect(screen.getByLabelText('Korisničko ime').getAttribute('aria-invalid')).toBe('true')
  })

  it('leaves one logged in', async () => {
    fetched.mockResolvedValueOnce(json({}, 201)).mockResolvedValueOnce(json(USER))
    const { store, user } = show('register')
    await fill(user, 'ana', 'lozinka123')
    await waitFor(() => expect(store.getState().account.status).toBe('member'))
    expect(String(fetched.mock.calls[0]?.[0])).toBe('/api/v1/account/register?lang=hr')
  })
})

describe('the ticket that waits', () => {
  const PAIRS = [
    aPair({ home: 'Rijeka', away: 'Osijek', marketName: 'Sljedeći gol', marketType: 7, sbv: '3', oddValue: 2000 }),
    aPair({ home: 'Zadar', away: 'Cibona', oddName: 'X', oddValue: 3000 }),
  ]
  const shown = () => within(screen.getByRole('region', { name: 'Vaš listić vas čeka.' }))

  function expectTicket() {
    expect(
      shown()
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['Rijeka (3. gol)Sljedeći gol 3, Rijeka – Osijek2.00', 'NeriješenoKonačan ishod, Zadar – Cibona3.00'])
    expect(shown().getByText('Uplata').nextElementSibling?.textContent).toMatch(/^10,00\s€$/)
    expect(shown().getByText('Moguća isplata, prije poreza').nextElementSibling?.textContent).toMatch(/^60,00\s€$/)
  }

  it('is shown with match, market, stake and payout', () => {
    const store = makeStore()
    store.dispatch(ticketReceived(aTicket({ pairs: PAIRS, stake: '10.00' })))
    show('login', true, store)
    expectTicket()
  })

  it('is shown after a lost session, whose ticket the server has no longer', () => {
    const store = makeStore()
    addKeptTicket(store)
    store.dispatch(ticketReceived(aTicket({})))
    store.dispatch(ticketKept(aTicket({ pairs: PAIRS, stake: '10.00' })))
    show('login', true, store)
    expectTicket()
  })

  it('is not there without pairs', () => {
    show('login')
    expect(screen.queryByRole('list')).toBeNull()
  })
})

it('the password can be shown', async () => {
  const { user } = show('login')
  await user.click(screen.getByRole('button', { name: 'Prikaži lozinku' }))
  expect(screen.getByLabelText('Lozinka').getAttribute('type')).toBe('text')
})
