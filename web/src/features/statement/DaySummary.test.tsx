import { act, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { memberSeen } from '../../platform/account/accountSlice'
import { anOffer } from '../../testing/builders'
import { renderWithProviders, storeWith } from '../../testing/renderWithProviders'
import { DaySummary } from './DaySummary'
import { daySums } from './daySums'

type Told = readonly [kind: string, amount: string]

const entryOf = ([kind, amount]: Told) => ({ at: 1, kind, amount, balance: '1.00', ticketId: null, ticketNumber: null })

test.each([
  ['nothing', [], [0, '0.00', '0.00', '0.00']],
  ['a bet', [['stake', '-10.00']], [1, '10.00', '0.00', '-10.00']],
  [
    'bets with payouts, a cash-out and a refund',
    [
      ['stake', '-10.00'],
      ['stake', '-0.50'],
      ['payout', '29.23'],
      ['cash_out', '1.00'],
      ['refund', '0.50'],
    ],
    [2, '10.50', '30.73', '20.23'],
  ],
  [
    'a correction, and money that is no bet',
    [
      ['deposit', '100.00'],
      ['withdrawal', '-50.00'],
      ['payout', '29.23'],
      ['correction', '-29.23'],
      ['of a later version', '3.00'],
    ],
    [0, '0.00', '0.00', '0.00'],
  ],
] as const)('the sums of %s', (_, entries, [bets, staked, returned, result]) => {
  expect(daySums(entries.map(entryOf))).toEqual({ bets, staked, returned, result })
})

const asked: URLSearchParams[] = []
let pages: Record<string, object> = {}

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-05-13T23:30:00') })
  asked.length = 0
  pages = { '': { entries: [entryOf(['payout', '8.00'])], next: '7' }, '7': { entries: [entryOf(['stake', '-5.00'])] } }
  vi.stubGlobal('fetch', async (input: string) => {
    const query = new URL(input, 'http://kvota').searchParams
    asked.push(query)
    const page = pages[query.get('cursor') ?? '']
    return page ? new Response(JSON.stringify({ next: null, ...page })) : new Response('{}', { status: 503 })
  })
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

const member = (balance: string) => memberSeen({ name: 'ana', balance, currency: 'EUR' })

async function show() {
  const store = storeWith(anOffer([]))
  store.dispatch(member('100.00'))
  renderWithProviders(<DaySummary />, { store })
  const settle = () => act(() => vi.advanceTimersByTimeAsync(0))
  await settle()
  return { store, settle }
}

const sums = () =>
  within(screen.getByRole('region', { name: 'Danas' }))
    .getAllByRole('definition')
    .map(({ textContent }) => textContent?.replace(/\s/g, ' '))

test('the entries since midnight are summed, of all pages', async () => {
  await show()
  expect(asked.map((query) => [query.get('from'), query.get('limit')])).toEqual([
    [String(new Date('2026-05-13T00:00:00').getTime()), '1000'],
    [String(new Date('2026-05-13T00:00:00').getTime()), '1000'],
  ])
  expect(sums()).toEqual(['5,00 €', '8,00 €', '+3,00 €'])
  expect(screen.getByText('1 oklada')).toBeTruthy()
})

test('a changed balance loads them again; until then the old ones stay', async () => {
  const { store, settle } = await show()
  pages = { '': { entries: [entryOf(['stake', '-20.00'])] } }
  act(() => {
    store.dispatch(member('80.00'))
  })
  expect(sums()).toEqual(['5,00 €', '8,00 €', '+3,00 €'])
  await settle()
  expect(sums()).toEqual(['20,00 €', '0,00 €', '−20,00 €'])
})

test('at midnight a new day begins', async () => {
  const { settle } = await show()
  pages = { '': { entries: [] } }
  await act(() => vi.advanceTimersByTimeAsync(31 * 60_000))
  await settle()
  expect(asked.at(-1)?.get('from')).toBe(String(new Date('2026-05-14T00:00:00').getTime()))
  expect(sums()).toEqual(['0,00 €', '0,00 €', '0,00 €'])
})

test('without an answer there are no sums', async () => {
  pages = {}
  await show()
  expect(sums()).toEqual(['–', '–', '–'])
})
