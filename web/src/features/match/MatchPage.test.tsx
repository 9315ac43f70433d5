import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { afterPaint } from '../../components/answerFirst'
import { framesApplied } from '../../platform/offer/offerSlice'
import { matchOpened } from '../../platform/view/viewSlice'
import { applyMessages } from '../../protocol/applyFrame'
import { matchMessages } from '../../protocol/loadOffer'
import { aMarket, aMatch, anOdd, anOffer, aSport, aTotal } from '../../testing/builders'
import { renderWithProviders, storeWith } from '../../testing/renderWithProviders'
import { MarketCard } from './MarketCard'
import { MatchPage } from './MatchPage'

const MATCH = aMatch({
  id: 17,
  home: 'Rijeka',
  away: 'Osijek',
  markets: [
    aMarket({ id: 171, type: 1, name: 'Konačni ishod', odds: [anOdd({ id: 1711 })] }),
    aMarket({ id: 172, type: 8, name: 'Sljedeći gol', odds: [anOdd({ id: 1721 })] }),
  ],
})

let openMatchId: () => number | null

beforeEach(() => {
  const store = storeWith(anOffer([aSport({ matches: [MATCH] })]), { opened: [MATCH] })
  store.dispatch(matchOpened(17))
  renderWithProviders(
    <>
      <main>
        <MatchPage matchId={17} />
      </main>
      <input aria-label="elsewhere" />
    </>,
    { store },
  )
  openMatchId = () => store.getState().view.openMatchId
})

test.each([
  ['in the match', () => screen.getByRole('heading', { level: 1 })],
  ['on the page around it, where a click on nothing leaves the focus', () => screen.getByRole('main')],
  ['nowhere', () => document.body],
])('Escape leads back to the list with the focus %s', async (_, target) => {
  fireEvent.keyDown(target(), { key: 'Escape' })
  await act(painted)
  expect(openMatchId()).toBe(null)
})

test('the heading of a market with one line is read as two words', () => {
  const market = aTotal('2.5', { id: 170, name: 'Ukupno kornera' })
  const store = storeWith(anOffer([aSport({ matches: [MATCH] })]), { opened: [{ ...MATCH, markets: [market] }] })
  const group = { key: '18', type: 18, name: 'Ukupno kornera', marketIds: [170] }
  renderWithProviders(<MarketCard matchId={17} group={group} />, { store })
  expect(screen.getByRole('heading', { name: 'Ukupno kornera 2.5' })).toBeTruthy()
})

test.each([
  [11701, 'Pobjednik', 'Ako je neriješeno, uplata se vraća.'],
  [11702, 'Konačni ishod', 'Neriješeno je jedan od ishoda: tada su 1 i 2 gubitni.'],
])('market %i of an MMA bout explains a draw', (type, name, note) => {
  const match = { ...MATCH, markets: [aMarket({ id: 170, type, name })] }
  const store = storeWith(anOffer([aSport({ matches: [match] })]), { opened: [match] })
  const group = { key: String(type), type, name, marketIds: [170] }
  renderWithProviders(<MarketCard matchId={17} group={group} />, { store })
  expect(screen.getByText(note)).toBeTruthy()
})

test("a provider's market of the same type does not", () => {
  const odds = [anOdd({ type: '4', alias: '1', description: 'Burnley' })]
  const match = { ...MATCH, markets: [aMarket({ id: 170, type: 11_701, odds })] }
  const store = storeWith(anOffer([aSport({ matches: [match] })]), { opened: [match] })
  const group = { key: '11701', type: 11_701, name: 'Pobjednik', marketIds: [170] }
  renderWithProviders(<MarketCard matchId={17} group={group} />, { store })
  expect(screen.queryByText(/Ako je neriješeno/)).toBeNull()
})

test('Escape elsewhere, or taken by something in the match, does not', async () => {
  fireEvent.keyDown(screen.getByLabelText('elsewhere'), { key: 'Escape' })
  const back = screen.getByRole('button', { name: 'Natrag na ponudu' })
  back.addEventListener('keydown', (event) => event.preventDefault())
  fireEvent.keyDown(back, { key: 'Escape' })
  await act(painted)
  expect(openMatchId()).toBe(17)
})

const markets = () => screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)
const pin = (market: string) => screen.getByRole('button', { name: `Drži na vrhu: ${market}` })

test('a favourite market is first, keeps the focus, and goes back to its place', async () => {
  await userEvent.click(pin('Sljedeći gol'))
  expect(markets()).toEqual(['Sljedeći gol', 'Konačni ishod'])
  expect(document.activeElement).toBe(pin('Sljedeći gol'))
  expect(pin('Sljedeći gol').getAttribute('aria-pressed')).toBe('true')
  await userEvent.keyboard(' ')
  expect(markets()).toEqual(['Konačni ishod', 'Sljedeći gol'])
  expect(document.activeElement).toBe(pin('Sljedeći gol'))
})

test('markets are found by words of their names, without diacritics', async () => {
  await userEvent.click(screen.getByRole('button', { name: 'Traži vrstu oklade' }))
  const field = screen.getByRole('textbox', { name: 'Traži vrstu oklade' })
  expect(document.activeElement).toBe(field)
  await userEvent.keyboard('sljedeci')
  expect(markets()).toEqual(['Sljedeći gol'])
  expect(screen.getByText('1 pogodak')).toBeTruthy()
  await userEvent.keyboard('x')
  expect(screen.getByText('Nema takve vrste oklade.')).toBeTruthy()
  await userEvent.keyboard('{Escape}')
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Traži vrstu oklade' }))
  expect(markets()).toHaveLength(2)
  expect(openMatchId()).toBe(17)
})

describe('a match whose markets have no tags', () => {
  const untagged = { ...MATCH, markets: MATCH.markets.map((market) => ({ ...market, tags: [] })) }

  beforeEach(() => {
    cleanup()
    const store = storeWith(anOffer([aSport({ matches: [untagged] })]), { opened: [untagged] })
    store.dispatch(matchOpened(17))
    renderWithProviders(<MatchPage matchId={17} />, { store })
  })

  test('has no chips, and the button of the search shows what it does', () => {
    expect(screen.queryByRole('radiogroup')).toBeNull()
    expect(screen.getByRole('button', { name: 'Traži vrstu oklade' }).textContent).toBe('Traži vrstu oklade')
    expect(markets()).toEqual(['Konačni ishod', 'Sljedeći gol'])
  })

  test('has a search and favourites as any other', async () => {
    await userEvent.click(pin('Sljedeći gol'))
    expect(markets()).toEqual(['Sljedeći gol', 'Konačni ishod'])
    await userEvent.click(screen.getByRole('button', { name: 'Traži vrstu oklade' }))
    await userEvent.keyboard('ishod')
    expect(markets()).toEqual(['Konačni ishod'])
    await userEvent.keyboard('{Escape}')
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Traži vrstu oklade' }))
    expect(markets()).toHaveLength(2)
  })
})

/** Resolves after all work that is scheduled for after the next paint. */
function painted(): Promise<void> {
  return new Promise(afterPaint)
}

describe('a card of lines that are suspended', () => {
  const lines = (...suspended: readonly boolean[]) =>
    ['1.5', '2.5'].map((sbv, place) => aTotal(sbv, { id: 170 + place, isSuspended: suspended[place] ?? false }))
  const whole = (...suspended: readonly boolean[]) => ({ ...MATCH, markets: lines(...suspended) })
  const group = { key: '18', type: 18, name: 'Ukupno golova', marketIds: [170, 171] }

  function show(...suspended: readonly boolean[]) {
    const told = whole(...suspended)
    const store = storeWith(anOffer([aSport({ matches: [{ ...told, markets: [] }] })]), { opened: [told] })
    renderWithProviders(<MarketCard matchId={17} group={group} />, { store })
    const change = (...now: readonly boolean[]) => {
      const { offer } = store.getState()
      const messages = matchMessages(offer, whole(...now))
      act(() => void store.dispatch(framesApplied(applyMessages(offer, messages, new Set([17])))))
    }
    return { change }
  }
  const head = () => screen.getByRole('heading', { name: /^Ukupno golova/ }).textContent
  const states = () => [...document.querySelectorAll('[data-market-group="18"] [data-state]')].map(stateOf)
  const stateOf = (odd: Element) => odd.getAttribute('data-state')

  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('says so in its head, and after a minute for how long, until a line opens', () => {
    const { change } = show(false, true)
    expect(screen.queryByText('suspendirano')).toBeNull()
    expect(states().sort()).toEqual(['locked', 'locked', 'open', 'open'])
    change(true, true)
    expect(head()).toContain('suspendirano')
    expect(head()).not.toContain('min')
    expect(new Set(states())).toEqual(new Set(['locked']))
    act(() => vi.advanceTimersByTime(61_000))
    expect(head()).not.toContain('suspendirano 0')
    act(() => vi.advanceTimersByTime(65_000))
    expect(head()).toContain('suspendirano 2 min')
    change(true, false)
    expect(head()).not.toContain('suspendirano')
    change(true, true)
    expect(head()).not.toContain('min')
  })

  test("says why, if a provider's feed does, and not as a note that would move the cards below", () => {
    const odds = ['12', '13'].map((type) => anOdd({ type, alias: type, description: 'over', value: 1900 }))
    const told = { ...MATCH, markets: [aTotal('1.5', { id: 170, isSuspended: true, description: 'mogući gol', odds })] }
    const store = storeWith(anOffer([aSport({ matches: [{ ...told, markets: [] }] })]), { opened: [told] })
    renderWithProviders(<MarketCard matchId={17} group={{ ...group, marketIds: [170] }} />, { store })
    expect(head()).toContain('suspendirano: mogući gol')
    expect(screen.getByText('mogući gol')).toBeTruthy()
    const notes = [...document.querySelectorAll('p')].map((note) => note.textContent)
    expect(notes.filter((note) => note?.includes('mogući'))).toEqual([])
  })
})
