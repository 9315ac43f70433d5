import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { memberSeen } from '../../platform/account/accountSlice'
import { readBet } from '../../protocol/readBets'
import { aToldBet, aToldPair } from '../../testing/betBuilders'
import { aMarket, aMatch, anOdd, anOffer, aSport } from '../../testing/builders'
import { eventually } from '../../testing/eventually'
import { renderWithProviders, storeWith } from '../../testing/renderWithProviders'
import { addBets, betsReceived } from './betsSlice'
import { OpenBets } from './OpenBets'

function show(bets: readonly Record<string, unknown>[]) {
  const store = storeWith(
    anOffer([aSport({ matches: [1, 2, 3, 4].map((id) => aMatch({ id, score: id % 2 ? [2, 1] : [0, 0] })) })]),
  )
  addBets(store)
  store.dispatch(memberSeen({ name: 'ana', balance: '100.00', currency: 'EUR' }))
  store.dispatch(betsReceived(bets.map(readBet)))
  renderWithProviders(<OpenBets cashOutOf={() => null} />, { store })
  return store
}

it('a bet shows how each of its pairs stands now, and its sums when it is opened', async () => {
  show([
    aToldBet('A', {
      pairs: [
        aToldPair({ matchId: 1 }),
        aToldPair({ matchId: 2, oddName: '2' }),
        aToldPair({ matchId: 4, marketType: 18, marketName: 'Ukupno golova', oddName: 'Više', sbv: '1.5' }),
        aToldPair({ matchId: 9 }),
        aToldPair({ matchId: 3, result: 'won', factor: '1.85', settledAt: 1 }),
      ],
    }),
  ])
  const pairs = within(screen.getByRole('article')).getAllByRole('listitem')
  expect(pairs.map((pair) => pair.firstElementChild?.textContent)).toEqual([
    'Sada prolazi',
    'Sada ne prolazi',
    'Nedostaju još 2',
    'Otvoren',
    'Dobitan',
  ])
  expect(screen.queryByRole('button', { name: 'Ispiši potvrdu' })).toBeNull()
  await userEvent.click(screen.getByRole('button', { expanded: false }))
  expect(screen.getByRole('button', { name: 'Ispiši potvrdu' })).toBeTruthy()
  expect(within(screen.getByRole('article')).getAllByRole('listitem')).toHaveLength(5)
})

it("a provider's pair stands by what its ids mean there, and has the name of its outcome", () => {
  show([
    aToldBet('A', {
      pairs: [
        aToldPair({ matchId: 1, marketType: 10, oddType: '11', oddName: 'X ili Derby' }),
        aToldPair({ matchId: 3, marketType: 18, oddType: '12', oddName: 'Više 4.5', sbv: '4.5' }),
        aToldPair({ matchId: 2, marketType: 60, oddType: '1', oddName: '2' }),
      ],
    }),
  ])
  const pairs = within(screen.getByRole('article')).getAllByRole('listitem')
  expect(pairs.map((pair) => pair.firstElementChild?.textContent)).toEqual([
    'Sada ne prolazi',
    'Nedostaju još 2',
    'Otvoren',
  ])
  expect(pairs.map((pair) => pair.querySelector('b')?.textContent)).toEqual(['X ili Derby', 'Više 4.5', '2'])
})

it('a pair has one language: that of the offer while its odd is there, otherwise that of the bet', () => {
  const odd = anOdd({ type: 'Over', id: 31 })
  const market = aMarket({ type: 18, name: 'Total goals', sbv: '2.5', odds: [odd] })
  const store = storeWith(
    anOffer([aSport({ matches: [aMatch({ id: 1, home: 'Germany', away: 'Spain', markets: [market] })] })]),
  )
  addBets(store)
  const names = { home: 'Njemačka', away: 'Španjolska' }
  const total = { ...names, marketType: 18, marketName: 'Ukupno golova', oddName: 'Više', sbv: '2.5' }
  const pairs = [aToldPair({ ...total, matchId: 1, marketId: 31 }), aToldPair({ ...total, matchId: 1, marketId: 32 })]
  store.dispatch(betsReceived(pairs.map((pair, place) => readBet(aToldBet(String(place), { pairs: [pair] })))))
  renderWithProviders(<OpenBets cashOutOf={() => null} />, { store })
  const [offered, stored] = screen.getAllByRole('article')
  const ofPair = (bet: HTMLElement | undefined) => {
    const what = bet?.querySelector('li')?.children[1]
    return [bet?.querySelector('button b')?.textContent, what?.textContent]
  }
  expect(ofPair(offered)).toEqual(['Over 2.5', 'Over 2.5Total goals 2.5, Germany – Spain'])
  expect(ofPair(stored)).toEqual(['Više 2.5', 'Više 2.5Ukupno golova 2.5, Njemačka – Španjolska'])
})

it('without an open bet says what will be there, with a way to all bets', async () => {
  const store = show([])
  expect(screen.getByText('Nemate otvorenih oklada')).toBeTruthy()
  await userEvent.click(screen.getByRole('link', { name: 'Sve moje oklade' }))
  await eventually(() => expect(store.getState().view.page).toBe('bets'))
})
