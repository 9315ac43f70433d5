import { act, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fetchMatch } from '../../api/liveApi'
import { ApiError } from '../../api/request'
import { addProtection, exclusionStarted } from '../../platform/account/protectionSlice'
import { ticketReceived } from '../../platform/connection/hubMessages'
import { selectChoice } from '../../platform/ticket/ticketSelectors'
import { type RepeatedBet, repeatAsked } from '../../platform/view/requests'
import type { ToldMatch } from '../../protocol/frames'
import { readBet } from '../../protocol/readBets'
import { aToldBet, aToldPair } from '../../testing/betBuilders'
import { aMarket, aMatch, anOdd, anOffer, aSport } from '../../testing/builders'
import { renderWithProviders, storeWith } from '../../testing/renderWithProviders'
import { aPair, aTicket } from '../../testing/ticketBuilders'
import { repeatedBet } from '../bets/repeatedBet'
import { SharedTicket } from './SharedTicket'
import { TicketLinkLayer } from './TicketLinkLayer'

vi.mock('../../api/liveApi', () => ({ fetchMatch: vi.fn() }))

const MATCH = aMatch({
  id: 17,
  home: 'Rijeka',
  markets: [aMarket({ id: 170, odds: [anOdd({ id: 1700, value: 2050 })] })],
})
const PICKS = [
  { matchId: 17, marketId: 170, oddId: 1700, isFix: false },
  { matchId: 99, marketId: 990, oddId: 9900, isFix: false },
]
const STANDARD = { type: 0, combination: null, picks: PICKS } as const

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

test('a pair that no answer came for is asked about again, one that is not in the offer is gone', async () => {
  vi.mocked(fetchMatch).mockRejectedValueOnce(new ApiError('network')).mockResolvedValue(MATCH)
  renderWithProviders(<SharedTicket ticket={STANDARD} onClose={() => undefined} />, {
    store: storeWith(anOffer([aSport({ matches: [MATCH] })])),
  })
  await act(() => vi.advanceTimersByTimeAsync(1000))
  expect(screen.getAllByRole('listitem').map((pair) => pair.textContent)).toEqual([
    expect.stringMatching(/^Rijeka2\.05/),
    'Više se ne nudi',
  ])
})

test("a provider's pair has the full name of its outcome", async () => {
  const odd = { ...anOdd({ id: 1700, type: '12', value: 2050 }), alias: 'over', description: 'Više 2.5' }
  const match = aMatch({ id: 17, markets: [aMarket({ id: 170, type: 18, sbv: '2.5', odds: [odd] })] })
  vi.mocked(fetchMatch).mockResolvedValue(match)
  renderWithProviders(<SharedTicket ticket={{ ...STANDARD, picks: PICKS.slice(0, 1) }} onClose={() => undefined} />, {
    store: storeWith(anOffer([aSport({ matches: [match] })])),
  })
  await act(() => vi.advanceTimersByTimeAsync(1000))
  expect(screen.getByRole('listitem').querySelector('b')?.textContent).toBe('Više 2.5')
})

test.each([
  [1, 'Vaš sadašnji listić (1 par) bit će zamijenjen.'],
  [2, 'Vaš sadašnji listić (2 para) bit će zamijenjen.'],
  [5, 'Vaš sadašnji listić (5 parova) bit će zamijenjen.'],
])('an own ticket with %i pairs is mentioned before it is replaced', async (count, text) => {
  vi.mocked(fetchMatch).mockResolvedValue(MATCH)
  const store = storeWith(anOffer([aSport({ matches: [MATCH] })]))
  store.dispatch(
    ticketReceived(aTicket({ pairs: Array.from({ length: count }, (_, id) => aPair({ matchId: id + 1 })) })),
  )
  renderWithProviders(<SharedTicket ticket={STANDARD} onClose={() => undefined} />, { store })
  await act(() => vi.advanceTimersByTimeAsync(1000))
  expect(screen.getByText(text)).toBeTruthy()
})

test('a system is taken over with its combinations and its fixed pairs', async () => {
  const matches = [1, 2, 3, 4].map((id) =>
    aMatch({ id, markets: [aMarket({ id: id * 10, odds: [anOdd({ id: id * 100, value: 2050 })] })] }),
  )
  vi.mocked(fetchMatch).mockImplementation(async (id) => matches[id - 1] as ToldMatch)
  const store = storeWith(anOffer([aSport({ matches })]))
  const picks = [1, 2, 3, 4].map((id) => ({ matchId: id, marketId: id * 10, oddId: id * 100, isFix: id === 1 }))
  renderWithProviders(<SharedTicket ticket={{ type: 1, combination: 2, picks }} onClose={() => undefined} />, { store })
  await act(() => vi.advanceTimersByTimeAsync(1000))
  expect(screen.getByText(/^Sistem 2\/3\. /)).toBeTruthy()
  expect(screen.getAllByRole('listitem').map((pair) => /Fiks/.test(pair.textContent ?? ''))).toEqual([
    true,
    false,
    false,
    false,
  ])
  act(() => screen.getByRole('button', { name: 'Preuzmi 4 para' }).click())
  const choice = selectChoice(store.getState())
  expect(choice).toMatchObject({ type: 1, combination: 2 })
  expect(choice.pairs.map(({ matchId, isFix }) => [matchId, isFix])).toEqual([
    [1, true],
    [2, false],
    [3, false],
    [4, false],
  ])
})

test('a system that is too small without what is gone has no combinations yet', async () => {
  vi.mocked(fetchMatch).mockResolvedValue(MATCH)
  const store = storeWith(anOffer([aSport({ matches: [MATCH] })]))
  const [one, gone] = PICKS
  renderWithProviders(
    <SharedTicket
      ticket={{ type: 1, combination: 1, picks: [one, gone].flatMap((pick) => pick ?? []) }}
      onClose={() => undefined}
    />,
    { store },
  )
  await act(() => vi.advanceTimersByTimeAsync(1000))
  act(() => screen.getByRole('button', { name: 'Preuzmi 1 par' }).click())
  expect(selectChoice(store.getState())).toMatchObject({ type: 1, combination: null })
})

test('a bet is placed again at the odds of now, with its stake', async () => {
  vi.mocked(fetchMatch).mockResolvedValue(MATCH)
  const store = storeWith(anOffer([aSport({ matches: [MATCH] })]))
  renderWithProviders(<TicketLinkLayer />, { store })
  const bet = readBet(
    aToldBet('A', {
      bruto: '25.00',
      pairs: [aToldPair({ matchId: 17, marketId: 1700, oddValue: 1.5 }), aToldPair({ matchId: 99, marketId: 9900 })],
    }),
  )
  const repeated = repeatedBet(bet)
  expect(repeated).not.toBeNull()
  await act(async () => {
    store.dispatch(repeatAsked(repeated as RepeatedBet))
    await vi.advanceTimersByTimeAsync(1000)
  })
  expect(screen.getByRole('dialog', { name: 'Ponovi listić' })).toBeTruthy()
  expect(screen.getAllByRole('listitem').map((pair) => pair.textContent)).toEqual([
    expect.stringMatching(/^Rijeka2\.05/),
    'Više se ne nudi',
  ])
  expect(screen.getByText(/Uplata je 25,00\s€\./)).toBeTruthy()
  act(() => screen.getByRole('button', { name: 'Preuzmi 1 par' }).click())
  expect(selectChoice(store.getState())).toMatchObject({ stake: '25.00', type: 0, pairs: [{ oddId: 1700 }] })
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('during an exclusion it cannot be taken, and the reason is shown', async () => {
  vi.mocked(fetchMatch).mockResolvedValue(MATCH)
  const store = storeWith(anOffer([aSport({ matches: [MATCH] })]))
  addProtection(store)
  renderWithProviders(<SharedTicket ticket={STANDARD} onClose={() => undefined} />, { store })
  await act(() => vi.advanceTimersByTimeAsync(1000))
  expect(screen.getByRole('button', { name: 'Preuzmi 1 par' })).toBeTruthy()
  act(() => {
    store.dispatch(exclusionStarted({ kind: 'self_exclusion', until: null }))
  })
  expect(screen.queryByRole('button', { name: 'Preuzmi 1 par' })).toBeNull()
  expect(screen.getByText('Isključenje bez roka')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Zatvori' })).toBeTruthy()
})
