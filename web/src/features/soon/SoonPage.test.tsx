import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { offerLoaded } from '../../platform/offer/offerSlice'
import { sportFilterToggled } from '../../platform/preferences/preferencesSlice'
import { matchHiddenToggled } from '../../platform/view/viewSlice'
import type { ToldMatch } from '../../protocol/frames'
import { loadOffer } from '../../protocol/loadOffer'
import { aColumn, aMarket, aMatch, anOdd, anOffer, aSport } from '../../testing/builders'
import { renderWithProviders, storeWith } from '../../testing/renderWithProviders'
import { SoonPage } from './SoonPage'

const COLUMNS = [
  aColumn({ markets: [{ marketType: 35, status: null, format: '' }] }),
  aColumn({ markets: [{ marketType: 106, status: null, format: '' }] }),
  aColumn({ markets: [{ marketType: 20, status: null, format: '' }] }),
]

function aTennisMatch(id: number, point: number, fields: Partial<ToldMatch> = {}): ToldMatch {
  const odds = [anOdd({ type: '1' }), anOdd({ type: '2' })]
  return aMatch({
    id,
    home: `Ana ${id}`,
    away: `Eva ${id}`,
    order: id,
    status: 'set_1',
    score: [0, 0],
    scores: [[3, 2]],
    game: ['0', '0'],
    clock: null,
    markets: [
      aMarket({ id: id * 100 + point, type: 35, name: 'Sljedeći poen', sbv: String(point), odds }),
      aMarket({ type: 106, name: '1. set: pobjednik gema', sbv: '6', odds: [anOdd(), anOdd({ type: '2' })] }),
      aMarket({ type: 20, name: 'Pobjednik', odds: [anOdd(), anOdd({ type: '2' })] }),
    ],
    ...fields,
  })
}

const offerOf = (...matches: ToldMatch[]) =>
  anOffer([
    aSport({ id: 5, name: 'Tenis', preferred: COLUMNS, matches }),
    aSport({ id: 1, matches: [aMatch({ id: 1, clock: { kind: 'stopped', seconds: 600 } })] }),
  ])

const cards = () => screen.queryAllByRole('listitem')
const names = () => cards().map((card) => within(card).getByRole('link').textContent)

describe('the page of what is decided soon', () => {
  it('shows these markets of a match, with the expected time', () => {
    const store = storeWith(offerOf(aTennisMatch(51, 34)))
    renderWithProviders(<SoonPage />, { store })
    expect(names()).toEqual(['Ana 51 – Eva 51'])
    const [card] = cards()
    const groups = within(card as HTMLElement).getAllByRole('group')
    expect(groups.map((group) => group.getAttribute('aria-label'))).toEqual([
      '1. set: pobjednik gema 6, za oko 3 min',
      'Sljedeći poen 34, do 1 min',
    ])
    const [odd] = within(groups[1] as HTMLElement).getAllByRole('button')
    expect(odd?.getAttribute('aria-label')).toMatch(/^Ana 51 – Eva 51, Sljedeći poen 34, 1 1.85/)
  })

  it('keeps the order when the markets of a match are replaced', () => {
    const store = storeWith(offerOf(aTennisMatch(51, 34), aTennisMatch(52, 7)))
    renderWithProviders(<SoonPage />, { store })
    const load = (...matches: ToldMatch[]) =>
      act(() => {
        store.dispatch(offerLoaded({ offer: loadOffer(offerOf(...matches)), feed: 'active', dateMs: null }))
      })
    load(aTennisMatch(52, 7))
    expect(names()).toEqual(['Ana 52 – Eva 52'])
    load(aTennisMatch(51, 35), aTennisMatch(52, 7), aTennisMatch(50, 1))
    expect(names()).toEqual(['Ana 51 – Eva 51', 'Ana 52 – Eva 52', 'Ana 50 – Eva 50'])
    expect(screen.getByRole('group', { name: /^Sljedeći poen 35/ })).toBeTruthy()
  })

  it('follows the filter of sports and leaves out hidden matches', () => {
    const store = storeWith(offerOf(aTennisMatch(51, 34), aTennisMatch(52, 7)))
    renderWithProviders(<SoonPage />, { store })
    act(() => {
      store.dispatch(matchHiddenToggled(51))
    })
    expect(names()).toEqual(['Ana 52 – Eva 52'])
    act(() => {
      store.dispatch(sportFilterToggled(1))
    })
    expect(cards()).toEqual([])
    expect(screen.getByRole('heading', { level: 2, name: 'Uskoro se ne odlučuje nijedna oklada' })).toBeTruthy()
  })

  it('shows many matches in steps', async () => {
    const matches = Array.from({ length: 30 }, (_, place) => aTennisMatch(100 + place, 1))
    renderWithProviders(<SoonPage />, { store: storeWith(offerOf(...matches)) })
    expect(cards()).toHaveLength(24)
    await userEvent.click(screen.getByRole('button', { name: 'Prikaži još (6)' }))
    expect(cards()).toHaveLength(30)
    expect(screen.queryByRole('button', { name: /^Prikaži još/ })).toBeNull()
  })
})
