import { act } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { makeStore } from '../../app/store'
import { printAsked } from '../../platform/view/requests'
import { readBet } from '../../protocol/readBets'
import { aToldBet, aToldPair } from '../../testing/betBuilders'
import { eventually } from '../../testing/eventually'
import { renderWithProviders } from '../../testing/renderWithProviders'
import { addBets, betPlaced } from './betsSlice'
import { PrintLayer } from './PrintLayer'

const print = vi.fn()

afterEach(() => {
  vi.unstubAllGlobals()
  print.mockReset()
})

const paper = () => document.querySelector('body > [data-receipt]')

function show() {
  window.print = print
  const store = makeStore()
  addBets(store)
  renderWithProviders(<PrintLayer />, { store })
  return store
}

it('a receipt is printed beside the page, and removed afterwards', () => {
  const store = show()
  act(() => {
    const pair = aToldPair({ sportId: 19, marketType: 1912, marketName: 'Frejmovi: prvi do', sbv: '4' })
    store.dispatch(betPlaced(readBet(aToldBet('A', { pairs: [pair] }))))
    store.dispatch(printAsked('A'))
  })
  expect(print).toHaveBeenCalledTimes(1)
  expect(paper()?.textContent?.replace(/\s/g, ' ')).toMatch(
    /^kvotaListić A22-4M2X.*Dinamo Zagreb \(prvi do 4\)1.85Frejmovi: prvi do 4, .*Uplata10,00 €Porez na uplatu0,50 €Ulog9,50 €.*Moguća isplata16,77 €$/,
  )
  act(() => {
    window.dispatchEvent(new Event('afterprint'))
  })
  expect([paper(), store.getState().bets.printing]).toEqual([null, null])
})

it("a receipt of a provider's bet has the names of the outcomes, never their ids", () => {
  const store = show()
  act(() => {
    const total = { marketType: 18, marketName: 'Ukupno', oddType: '12', oddName: 'Više 2.5', sbv: '2.5' }
    const draw = { matchId: 2, marketType: 1, marketName: '1x2', oddType: '2', oddName: 'X' }
    store.dispatch(betPlaced(readBet(aToldBet('A', { pairs: [aToldPair(total), aToldPair(draw)] }))))
    store.dispatch(printAsked('A'))
  })
  const names = Array.from(paper()?.querySelectorAll('li b') ?? [], ({ textContent }) => textContent)
  expect(names.filter((_, place) => place % 2 === 0)).toEqual(['Više 2.5', 'X'])
})

it('a bet that the hub has not reported is fetched first', async () => {
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ ...aToldBet('B'), settlements: [] })))
  const store = show()
  act(() => {
    store.dispatch(printAsked('B'))
  })
  expect(print).not.toHaveBeenCalled()
  await eventually(() => expect(print).toHaveBeenCalledTimes(1))
})

it('a bet that cannot be fetched is reported', async () => {
  vi.stubGlobal('fetch', async () => new Response(null, { status: 503 }))
  const store = show()
  act(() => {
    store.dispatch(printAsked('B'))
  })
  await eventually(() => expect(store.getState().notices.notices.map(({ key }) => key)).toEqual(['printFailed']))
  expect(store.getState().bets.printing).toBeNull()
})
