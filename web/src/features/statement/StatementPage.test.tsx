import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fetchStatementCsv } from '../../api/statementApi'
import { makeStore } from '../../app/store'
import { balanceTold, memberSeen } from '../../platform/account/accountSlice'
import { deferred } from '../../testing/deferred'
import { eventually } from '../../testing/eventually'
import { renderWithProviders } from '../../testing/renderWithProviders'
import { addBets } from '../bets/betsSlice'
import { periodOf } from './period'
import { StatementPage } from './StatementPage'

const entry = (kind: string, amount: string, ticketNumber: string | null = null) => ({
  at: 1_700_000_000_000,
  kind,
  amount,
  balance: '100.00',
  ticketId: ticketNumber && `id of ${ticketNumber}`,
  ticketNumber,
})

const PAGES: Record<string, object> = {
  first: { entries: [entry('payout', '16.77', 'K7Q-4M2X'), entry('stake', '-10.00', 'K7Q-4M2X')], next: '7' },
  7: { entries: [entry('refund', '5.00'), entry('opening', '1000.00')], next: null },
}

let asked: URLSearchParams[] = []

beforeEach(() => {
  asked = []
  vi.stubGlobal('fetch', async (input: string) => {
    const query = new URL(input, 'http://kvota').searchParams
    asked.push(query)
    return new Response(JSON.stringify(PAGES[query.get('cursor') ?? 'first']))
  })
})

afterEach(() => {
  vi.unstubAllGlobals()
})

/** The lines of the table, without no-break spaces and times. */
const lines = () =>
  screen
    .queryAllByRole('row')
    .slice(1)
    .map((row) => [...row.children].slice(1, 3).map((cell) => cell.textContent?.replace(/\s/g, ' ')))

function show() {
  const store = makeStore()
  store.dispatch(memberSeen({ name: 'ana', balance: '100.00', currency: 'EUR' }))
  renderWithProviders(<StatementPage />, { store })
  return store
}

describe('the statement', () => {
  it('shows signed amounts with their tickets, and older entries', async () => {
    show()
    await eventually(() =>
      expect(lines()).toEqual([
        ['Isplata dobitkaK7Q-4M2X', '+16,77 €'],
        ['Uplata listićaK7Q-4M2X', '−10,00 €'],
      ]),
    )
    await userEvent.click(screen.getByRole('button', { name: 'Starije stavke' }))
    await eventually(() => expect(lines()).toHaveLength(4))
    expect(screen.queryByRole('button', { name: 'Starije stavke' })).toBeNull()
  })

  it('puts new entries in front when the balance changes, and keeps the others', async () => {
    const store = show()
    await eventually(() => expect(lines()).toHaveLength(2))
    await userEvent.click(screen.getByRole('button', { name: 'Starije stavke' }))
    await eventually(() => expect(lines()).toHaveLength(4))
    const first = screen.getAllByRole('row')[1]
    const { entries, next } = PAGES['first'] as { entries: object[]; next: string }
    const answer = deferred<Response>()
    vi.stubGlobal('fetch', () => answer.promise)
    act(() => void store.dispatch(balanceTold('90.00')))
    expect(lines()).toHaveLength(4)
    expect(screen.queryByText('Učitavanje…')).toBeNull()
    answer.resolve(new Response(JSON.stringify({ entries: [entry('stake', '-1.00'), ...entries], next })))
    await eventually(() => expect(lines()).toHaveLength(5))
    expect(lines()[0]).toEqual(['Uplata listića', '−1,00 €'])
    expect(screen.getAllByRole('row')[2]).toBe(first)
    expect(screen.queryByRole('button', { name: 'Starije stavke' })).toBeNull()
  })

  it('starts again when the first page has new entries only', async () => {
    const store = show()
    await eventually(() => expect(lines()).toHaveLength(2))
    const entries = [entry('stake', '-1.00'), entry('stake', '-2.00')]
    vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ entries, next: '9' })))
    act(() => void store.dispatch(balanceTold('90.00')))
    await eventually(() => expect(lines().map(([, amount]) => amount)).toEqual(['−1,00 €', '−2,00 €']))
    expect(screen.getByRole('button', { name: 'Starije stavke' })).toBeTruthy()
  })

  it('keeps its entries when the new ones cannot be loaded, and offers another try', async () => {
    const store = show()
    await eventually(() => expect(lines()).toHaveLength(2))
    vi.stubGlobal('fetch', async () => new Response(null, { status: 503 }))
    act(() => void store.dispatch(balanceTold('90.00')))
    const again = await screen.findByRole('button', { name: 'Pokušaj ponovno' })
    expect(lines()).toHaveLength(2)
    vi.stubGlobal('fetch', async () => new Response(JSON.stringify(PAGES['first'])))
    await userEvent.click(again)
    await eventually(() => expect(screen.queryByRole('button', { name: 'Pokušaj ponovno' })).toBeNull())
    expect(lines()).toHaveLength(2)
  })

  it('links to the bet of an entry, also if the server sends no number', async () => {
    vi.stubGlobal('fetch', async () => {
      const entries = [entry('stake', '-1.00', 'K7Q-4M2X'), { ...entry('stake', '-2.00'), ticketId: 'T2' }]
      return new Response(JSON.stringify({ entries, next: null }))
    })
    const store = show()
    addBets(store)
    await eventually(() => expect(lines()).toHaveLength(2))
    const names = screen.getAllByRole('link').map((link) => link.textContent)
    expect(names).toEqual(['K7Q-4M2X', 'Listić'])
    await userEvent.click(screen.getByRole('link', { name: 'Listić' }))
    expect(store.getState().bets.asked).toBe('T2')
    await eventually(() => expect(store.getState().view.page).toBe('bets'))
  })

  it('filters by kind, looking for entries in older pages', async () => {
    show()
    await eventually(() => expect(lines()).toHaveLength(2))
    await userEvent.click(screen.getByRole('radio', { name: 'Povrat uplate' }))
    await eventually(() => expect(lines()).toEqual([['Povrat uplate', '+5,00 €']]))
    await userEvent.click(screen.getByRole('radio', { name: 'Ispravci' }))
    expect(screen.getByText('U ovom razdoblju nema takvih stavki.')).toBeTruthy()
  })

  it('asks for the chosen period', async () => {
    show()
    await eventually(() => expect(lines()).toHaveLength(2))
    expect(asked[0]?.get('from')).toBe(String(periodOf('30', '', '', Date.now()).from))
    await userEvent.click(screen.getByRole('radio', { name: 'Od početka' }))
    await eventually(() => expect(asked).toHaveLength(2))
    expect(asked[1]?.has('from')).toBe(false)
    await userEvent.click(screen.getByRole('radio', { name: 'Po datumu' }))
    await userEvent.type(screen.getByLabelText('Do'), '2026-05-13')
    await eventually(() => expect(asked.at(-1)?.get('to')).toBe(String(new Date(2026, 4, 14).getTime())))
  })

  it('that cannot be loaded offers another try', async () => {
    vi.stubGlobal('fetch', async () => new Response(null, { status: 503 }))
    show()
    expect(await screen.findByText('Izvod se trenutačno ne može prikazati.')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Pokušaj ponovno' })).toBeTruthy()
  })

  it('of somebody who is not signed in leads to the login', async () => {
    vi.stubGlobal('fetch', async () => new Response(null, { status: 401 }))
    const store = show()
    await eventually(() => expect(store.getState().view.page).toBe('login'))
  })
})

describe('the period', () => {
  const now = new Date(2026, 4, 13, 18).getTime()

  it.each([
    ['7', '', '', new Date(2026, 4, 7).getTime(), null],
    ['all', '2026-05-01', '', null, null],
    ['dates', '2026-05-01', '2026-05-31', new Date(2026, 4, 1).getTime(), new Date(2026, 5, 1).getTime()],
    ['dates', '', 'x', null, null],
  ] as const)('%s from %s to %s', (span, from, to, fromMs, toMs) => {
    expect(periodOf(span, from, to, now)).toEqual({ from: fromMs, to: toMs })
  })
})

it('the CSV has all pages and one header', async () => {
  vi.stubGlobal('fetch', async (input: string) => {
    const isFirst = !new URL(input, 'http://kvota').searchParams.has('cursor')
    const body = `at,kind,amount,balance,ticketId\r\n${isFirst ? '2,stake,-1.00,9.00,T1' : '1,opening,10.00,10.00,'}\r\n`
    return new Response(body, isFirst ? { headers: { 'x-next-cursor': '7' } } : {})
  })
  expect(await fetchStatementCsv({ from: null, to: null })).toBe(
    'at,kind,amount,balance,ticketId\r\n2,stake,-1.00,9.00,T1\r\n1,opening,10.00,10.00,\r\n',
  )
})
