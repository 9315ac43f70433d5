import { act, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fetchMatch } from '../../api/liveApi'
import { ApiError } from '../../api/request'
import { ticketReceived } from '../../platform/connection/hubMessages'
import { aMarket, aMatch, anOdd, anOffer, aSport } from '../../testing/builders'
import { renderWithProviders, storeWith } from '../../testing/renderWithProviders'
import { aPair, aTicket } from '../../testing/ticketBuilders'
import { SharedTicket } from './SharedTicket'

vi.mock('../../api/liveApi', () => ({ fetchMatch: vi.fn() }))

const MATCH = aMatch({
  id: 17,
  home: 'Rijeka',
  markets: [aMarket({ id: 170, odds: [anOdd({ id: 1700, value: 2050 })] })],
})
const PICKS = [
  { matchId: 17, marketId: 170, oddId: 1700 },
  { matchId: 99, marketId: 990, oddId: 9900 },
]

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

test('a pair that no answer came for is asked about again, one that is not in the offer is gone', async () => {
  vi.mocked(fetchMatch).mockRejectedValueOnce(new ApiError('network')).mockResolvedValue(MATCH)
  renderWithProviders(<SharedTicket picks={PICKS} onClose={() => undefined} />, {
    store: storeWith(anOffer([aSport({ matches: [MATCH] })])),
  })
  await act(() => vi.advanceTimersByTimeAsync(1000))
  expect(screen.getAllByRole('listitem').map((pair) => pair.textContent)).toEqual([
    expect.stringMatching(/^Rijeka2\.05/),
    'Više se ne nudi',
  ])
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
  renderWithProviders(<SharedTicket picks={PICKS} onClose={() => undefined} />, { store })
  await act(() => vi.advanceTimersByTimeAsync(1000))
  expect(screen.getByText(text)).toBeTruthy()
})
