import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { makeStore } from '../../app/store'
import { deferred } from '../../testing/deferred'
import { renderWithProviders } from '../../testing/renderWithProviders'
import { balanceTold, memberSeen } from '../account/accountSlice'
import { languageChanged } from '../preferences/preferencesSlice'
import { BetsPage } from './BetsPage'

const bet = (ticketId: string, status: string) => ({
  ticketId,
  placedAt: 1_700_000_000_000,
  status,
  systemType: 0,
  stake: '9.50',
  bruto: '10.00',
  totalOdd: '1.28',
  potentialWin: '12.16',
  winTax: '0.27',
  payout: '11.89',
  pairs: [{ matchId: 1, home: 'Zadar', away: 'Cibona', marketName: 'Ishod', oddName: '1', oddValue: 1.28 }],
})

/** The server's pages by cursor. */
const PAGES: Record<string, object> = {
  first: { tickets: [bet('A', 'open'), bet('B', 'lost'), bet('C', 'open')], next: 'older' },
  older: { tickets: [bet('D', 'won'), bet('E', 'void')], next: null },
}

const asked: string[] = []

/** Serves the pages. Older pages wait for `late`. */
function serve(pages: Record<string, object> = PAGES, late: Promise<void> = Promise.resolve()) {
  asked.length = 0
  const store = makeStore()
  store.dispatch(memberSeen({ name: 'ana', balance: '100.00', currency: 'EUR' }))
  vi.stubGlobal('fetch', async (input: string) => {
    const cursor = new URL(input, 'http://kvota').searchParams.get('cursor') ?? 'first'
    asked.push(cursor)
    if (cursor !== 'first') {
      await late
    }
    return new Response(JSON.stringify(pages[cursor]), { headers: { 'content-type': 'application/json' } })
  })
  renderWithProviders(<BetsPage />, { store })
  return store
}

afterEach(() => {
  vi.unstubAllGlobals()
})

const tickets = () => screen.queryAllByRole('article').map((article) => article.dataset['ticketId'])
const choices = () => screen.getAllByRole('radio').map((radio) => radio.textContent)

it('the bets are counted by outcome, as far as they are known', async () => {
  serve()
  await screen.findAllByRole('article')
  expect(choices()).toEqual(['Sve3+', 'Otvorene2+', 'Dobitne0+', 'Gubitne1+', 'Poništene0+'])
  await userEvent.click(screen.getByRole('button', { name: 'Starije oklade' }))
  await vi.waitFor(() => expect(choices()).toEqual(['Sve5', 'Otvorene2', 'Dobitne1', 'Gubitne1', 'Poništene1']))
})

it('one outcome is shown alone, and looked for among the older ones', async () => {
  serve()
  await screen.findAllByRole('article')
  await userEvent.click(screen.getByRole('radio', { name: /^Gubitne/ }))
  expect(tickets()).toEqual(['B'])
  expect(asked).toEqual(['first'])
  await userEvent.keyboard('{ArrowRight}')
  expect(screen.getByRole('radio', { name: /^Poništene/, checked: true })).toBe(document.activeElement)
  await vi.waitFor(() => expect(tickets()).toEqual(['E']))
  expect(asked).toEqual(['first', 'older'])
})

it('an outcome that no bet has is said to have none', async () => {
  serve({ ...PAGES, older: { tickets: [], next: null } })
  await screen.findAllByRole('article')
  await userEvent.click(screen.getByRole('radio', { name: /^Dobitne/ }))
  expect(await screen.findByText('Takvih oklada nema.')).toBeTruthy()
  expect(tickets()).toEqual([])
})

it('a system says of how many combinations it is, and that its payout is the highest', async () => {
  const [pair] = bet('A', 'open').pairs
  const pairs = [1, 2, 3, 4, 5].map((matchId) => ({ ...pair, matchId, isFix: matchId === 1 }))
  serve({ first: { tickets: [{ ...bet('A', 'open'), systemType: 2, pairs }], next: null } })
  const [article] = await screen.findAllByRole('article')
  expect(article?.textContent).toMatch(/Sistem 2\/4, 6 komb\./)
  expect(article?.textContent).toMatch(/11,89\s€najveća isplata/)
})

it('an opened bet is its receipt', async () => {
  serve()
  await screen.findAllByRole('article')
  const newest = screen.getAllByRole('article')[0] as HTMLElement
  expect(within(newest).getByRole('button', { expanded: true })).toBeTruthy()
  expect(newest.textContent).toMatch(/Ulog9,50.*Mogući dobitak12,16.*Porez na dobitak0,27.*Moguća isplata11,89/)
})

it('a bet that is placed beside the list stands in it', async () => {
  const pages: Record<string, object> = { first: { tickets: [bet('A', 'open')], next: null } }
  const store = serve(pages)
  await screen.findAllByRole('article')
  pages['first'] = { tickets: [bet('B', 'open'), bet('A', 'open')], next: null }
  act(() => {
    store.dispatch(balanceTold('90.00'))
  })
  await vi.waitFor(() => expect(tickets()).toEqual(['B', 'A']))
})

it('older bets that come after another list was asked for are left out', async () => {
  const late = deferred<void>()
  const store = serve(PAGES, late.promise)
  await screen.findAllByRole('article')
  await userEvent.click(screen.getByRole('button', { name: 'Starije oklade' }))
  act(() => {
    store.dispatch(languageChanged('en'))
  })
  await vi.waitFor(() => expect(asked).toEqual(['first', 'older', 'first']))
  await act(async () => late.resolve())
  await vi.waitFor(() => expect(screen.getByRole('button', { name: 'Starije oklade' })).toBeTruthy())
  expect(tickets()).toEqual(['A', 'B', 'C'])
})
