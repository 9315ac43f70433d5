import { act, screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { OddsButtonProps } from '../../components/OddsButton'
import '../../platform/offer/ownOrder'
import { afterPaint } from '../../components/answerFirst'
import { shortcutsTurned } from '../../platform/preferences/preferencesSlice'
import { aColumn, aMarket, aMatch, anOdd, anOffer, aSport, aTotal, aTotalColumn } from '../../testing/builders'
import { eventually } from '../../testing/eventually'
import { renderWithProviders, storeWith } from '../../testing/renderWithProviders'
import { aRowChange, tell } from '../../testing/tell'
import { translatePage } from '../../testing/translatePage'
import { widen } from '../../testing/viewport'
import type { MatchScoreProps } from './MatchScore'
import { OfferList } from './OfferList'

/** What renders: an odds button says its odd, a row its match. */
const rendered: string[] = []

vi.mock('../../components/OddsButton', async (original) => {
  const { OddsButton } = await original<typeof import('../../components/OddsButton')>()
  return {
    OddsButton: (props: OddsButtonProps) => {
      rendered.push(`odd ${props.oddId}`)
      return OddsButton(props)
    },
  }
})

vi.mock('./MatchScore', async (original) => {
  const { MatchScore } = await original<typeof import('./MatchScore')>()
  return {
    MatchScore: (props: MatchScoreProps) => {
      rendered.push(`row ${props.match.id}`)
      return <MatchScore {...props} />
    },
  }
})

const result = (first: number) =>
  aMarket({
    odds: [
      anOdd({ id: first, type: '1', value: 1850 }),
      anOdd({ id: first + 1, type: 'X', value: 3200 }),
      anOdd({ id: first + 2, type: '2', value: 4100 }),
    ],
  })
const total = (first: number) =>
  aTotal('2.5', {
    balanced: true,
    odds: [anOdd({ id: first, type: 'Manje', value: 1900 }), anOdd({ id: first + 1, type: 'Više', value: 1900 })],
  })

const soccer = () =>
  aSport({
    id: 1,
    name: 'Nogomet',
    matches: [
      aMatch({ id: 11, order: 1, home: 'Rijeka', away: 'Osijek', markets: [result(101), total(111)] }),
      aMatch({ id: 12, order: 2, home: 'Hajduk', away: 'Gorica', markets: [result(121), total(131)] }),
    ],
  })

function show() {
  const store = storeWith(anOffer([soccer()]))
  return { user: userEvent.setup(), ...renderWithProviders(<OfferList isShown />, { store }) }
}

const row = (name: RegExp) => screen.getByRole('row', { name })
const odd = (id: number) => document.querySelector(`[data-odd-id="${id}"]`)

beforeEach(() => {
  rendered.length = 0
  widen(1440)
})

describe('a list of 894 px and more', () => {
  const third = (first: number) =>
    aMarket({
      type: 7,
      odds: [anOdd({ id: first, type: 'Da', value: 1700 }), anOdd({ id: first + 1, type: 'Ne', value: 2050 })],
    })
  const goals = aColumn({
    order: 3,
    name: 'Oba daju gol',
    fields: ['Da', 'Ne'],
    markets: [{ marketType: 7, status: '', format: '' }],
  })
  const wideSoccer = () =>
    aSport({
      ...soccer(),
      preferred: [aColumn(), aTotalColumn({ order: 2 }), goals],
      matches: [aMatch({ id: 11, home: 'Rijeka', away: 'Osijek', markets: [result(101), total(111), third(131)] })],
    })

  test.each([
    [893, [101, 102, 103, 111, 112]],
    [894, [101, 102, 103, 111, 112, 131, 132]],
  ])('of %i px shows a third set of odds: %j', (width, expected) => {
    widen(1440, width)
    renderWithProviders(<OfferList isShown />, { store: storeWith(anOffer([wideSoccer()])) })
    const shown = [...document.querySelectorAll('[data-row="match"] button[data-odd-id]')]
    expect(shown.map((button) => Number(button.getAttribute('data-odd-id')))).toEqual(expected)
    expect(screen.queryAllByRole('button', { name: /Treći stupac kvota/ }).length).toBe(width === 894 ? 1 : 0)
  })

  test('leaves no gap where the sport has no third one', () => {
    widen(1700)
    show()
    expect(document.querySelector('[data-sport-id="1"]')?.getAttribute('data-sets')).toBe('2')
  })
})

test('a row that is still empty is none for a screen reader', async () => {
  const matches = [11, 12, 13, 14, 15].map((id) => aMatch({ id, order: id, home: `Domaćin ${id}` }))
  const store = storeWith(anOffer([aSport({ ...soccer(), matches })]))
  renderWithProviders(<OfferList isShown />, { store }).unmount()
  await new Promise<void>((done) => afterPaint(done))
  renderWithProviders(<OfferList isShown />, { store })
  const placed = document.querySelectorAll('[data-row="match"]')
  const announced = () => screen.getAllByRole('row').filter((row) => row.matches('[data-row="match"]'))
  expect(announced().length).toBeLessThan(placed.length)
  expect(announced().every((row) => row.childElementCount > 0)).toBe(true)
  await eventually(() => expect(announced().length).toBe(placed.length))
})

describe('a match without the odds of the set', () => {
  const without = () => {
    const match = aMatch({ id: 11, home: 'Rijeka', away: 'Osijek', markets: [total(111)] })
    renderWithProviders(<OfferList isShown />, {
      store: storeWith(anOffer([aSport({ ...soccer(), matches: [match] })])),
    })
    return within(row(/Rijeka/)).queryByText('Ovih kvota trenutačno nema.')
  }

  test('says so on a phone', () => {
    widen(390)
    expect(without()).not.toBe(null)
  })

  test('has an empty place where there are columns', () => {
    expect(without()).toBe(null)
  })
})

describe("a provider's columns, whose fields are outcome ids", () => {
  type Words = readonly [type: string, alias: string, description: string]
  const odds = (first: number, words: readonly Words[]) =>
    words.map(([type, alias, description], place) => anOdd({ id: first + place, type, alias, description }))
  const winner: readonly Words[] = [
    ['1', '1', 'Rijeka'],
    ['2', 'x', 'draw'],
    ['3', '2', 'Osijek'],
  ]
  const overUnder: readonly Words[] = [
    ['12', 'over', 'over 2.5'],
    ['13', 'under', 'under 2.5'],
  ]
  const provided = (first: number, ofTotal = overUnder, ofWinner = winner) => [
    aMarket({ id: first, odds: odds(first + 1, ofWinner) }),
    aTotal('2.5', { id: first + 50, odds: odds(first + 51, ofTotal) }),
  ]
  const offered = (...markets: readonly ReturnType<typeof provided>[]) =>
    anOffer([
      aSport({
        id: 1,
        preferred: [aColumn({ fields: ['1', '2', '3'] }), aTotalColumn({ fields: ['12', '13'] })],
        matches: markets.map((each, place) =>
          aMatch({ id: 11 + place, order: place, home: 'Rijeka', away: 'Osijek', markets: each }),
        ),
      }),
    ])
  const headings = () =>
    [...document.querySelectorAll('[data-sport-head] [title]')].map(({ textContent }) => textContent)
  const labels = () => headings().filter((text) => /^(\d+|X|Over|Under|Draw|više od)$/.test(text))
  const showOffer = (offer: ReturnType<typeof offered>) => {
    const store = storeWith(offer)
    renderWithProviders(<OfferList isShown />, { store })
    return store
  }

  test('have the labels of their odds above them and in the names of the prices', () => {
    showOffer(offered(provided(100)))
    expect(labels()).toEqual(['1', 'X', '2', 'Over', 'Under'])
    expect(odd(102)?.getAttribute('aria-label')).toBe('Rijeka – Osijek, Konačan ishod, X, kvota 1.85')
    expect(odd(151)?.getAttribute('aria-label')).toBe('Rijeka – Osijek, Ukupno golova, 2.5, Over, kvota 1.85')
  })

  test('have the labels beside the prices on a phone', () => {
    widen(390)
    showOffer(offered(provided(100)))
    expect([101, 102, 103].map((id) => odd(id)?.textContent)).toEqual(['1 1.85', 'X 1.85', '2 1.85'])
  })

  test('have labels for all matches where the provider has full names alone', () => {
    const full: readonly Words[] = [
      ['12', 'više od 2.5', 'više od 2.5'],
      ['13', 'under 2.5', 'under 2.5'],
    ]
    const named: readonly Words[] = [
      ['1', 'Rijeka', 'Rijeka'],
      ['2', 'draw', 'draw'],
      ['3', 'Osijek', 'Osijek'],
    ]
    showOffer(offered(provided(100, full, named)))
    expect(labels()).toEqual(['1', 'Draw', '2', 'više od', 'Under'])
  })

  test('have the field itself until a match has its odd, and keep the label without one', () => {
    const store = showOffer(offered(provided(100, [])))
    expect(labels()).toEqual(['1', 'X', '2', '12', '13'])
    rendered.length = 0
    tell(store, aRowChange(11, { fields: { score: [1, 0] } }))
    expect(rendered).toEqual(['row 11'])
    expect(labels()).toEqual(['1', 'X', '2', '12', '13'])
    const added = aMatch({ id: 12, home: 'Hajduk', away: 'Gorica', markets: provided(300) })
    tell(store, { kind: 'match', match: added })
    expect(labels()).toEqual(['1', 'X', '2', 'Over', 'Under'])
    tell(store, { kind: 'matchDeleted', matchId: 12 })
    expect(row(/Rijeka/)).toBeTruthy()
    expect(labels()).toEqual(['1', 'X', '2', 'Over', 'Under'])
  })
})

describe('what renders', () => {
  test('a price that moves renders its own button and nothing else', () => {
    const { store } = show()
    rendered.length = 0
    tell(store, aRowChange(11, { prices: [[1, 3300]] }))
    expect(new Set(rendered)).toEqual(new Set(['odd 102']))
    expect(odd(102)).toHaveProperty('textContent', expect.stringContaining('3.30'))
  })

  test('a score renders its own row, but no price', () => {
    const { store } = show()
    rendered.length = 0
    tell(store, aRowChange(12, { fields: { score: [1, 0] } }))
    expect(new Set(rendered)).toEqual(new Set(['row 12']))
  })
})

describe('a price', () => {
  test('says what it is, how it stands and how it moves', () => {
    const { store } = show()
    expect(odd(101)?.getAttribute('aria-label')).toBe('Rijeka – Osijek, Konačan ishod, 1, kvota 1.85')
    expect(odd(111)?.getAttribute('aria-label')).toBe('Rijeka – Osijek, Ukupno golova, 2.5, Manje, kvota 1.90')
    tell(store, aRowChange(11, { prices: [[0, 1700]] }))
    expect(odd(101)?.getAttribute('aria-label')).toBe('Rijeka – Osijek, Konačan ishod, 1, kvota 1.70, pada')
    expect(odd(101)?.getAttribute('data-movement')).toBe('down')
  })

  test('of a suspended match is locked', () => {
    const { store } = show()
    tell(store, aRowChange(11, { fields: { suspended: true } }))
    expect(odd(101)?.getAttribute('aria-label')).toBe('Rijeka – Osijek, Konačan ishod, 1, zaključano, 1.85')
    expect(odd(101)?.textContent).toContain('1.85')
    expect(odd(121)?.getAttribute('data-state')).toBe('open')
  })

  test('that is none is a dash among few, and not there among many', () => {
    const { store } = show()
    tell(store, aRowChange(11, { prices: [[0, 0]] }))
    expect(odd(101)?.getAttribute('data-state')).toBe('none')
    tell(store, aRowChange(11, { fields: { numberOfOdds: 6 } }, 2))
    expect(odd(101)).toBeNull()
  })
})

describe('a row', () => {
  test('of a match without the names of its teams has dashes, so that its link and its buttons have names', () => {
    const match = aMatch({ id: 11, home: null, away: '', markets: [result(101)] })
    renderWithProviders(<OfferList isShown />, {
      store: storeWith(anOffer([aSport({ ...soccer(), matches: [match] })])),
    })
    expect(screen.getByRole('link', { name: '– – –' })).toBeTruthy()
    expect(within(row(/–/)).getAllByRole('button', { name: /: –$/ })).toHaveLength(2)
    expect(odd(101)?.getAttribute('aria-label')).toBe('–, Konačan ishod, 1, kvota 1.85')
  })

  test('shows a goal with the side that scored, and names itself by its teams', () => {
    const { store } = show()
    tell(store, aRowChange(12, { fields: { score: [0, 1] } }), { kind: 'goal', matchId: 12, side: 2 })
    expect(within(row(/Hajduk/)).getByText('GOL').parentElement?.textContent).toContain('Gorica')
  })

  test('names whose turn it is in the words of its sport', () => {
    const players = { home: 'Ana', away: 'Iva', playerServing: 1 } as const
    const sports = [5, 22].map((id) => aSport({ id, matches: [aMatch({ id, sportId: id, ...players })] }))
    renderWithProviders(<OfferList isShown />, { store: storeWith(anOffer(sports)) })
    const names = screen.getAllByRole('link', { name: /^Ana/ }).map(({ textContent }) => textContent)
    expect(names).toEqual(['Ana, servira – Iva', 'Ana, baca – Iva'])
  })

  test('shows a new status and score on a page that the browser has translated', () => {
    const { store } = show()
    tell(store, aRowChange(12, { fields: { status: 'not_started', clock: null } }))
    translatePage()
    tell(store, aRowChange(12, { fields: { status: 'first_half', score: [1, 0] } }, 2))
    expect(row(/Hajduk/).textContent).toContain('1. pol.')
    expect(row(/Hajduk/).textContent).toContain('Rezultat 1:0')
    expect(row(/Hajduk/).textContent).not.toContain('Nije počelo')
  })

  test('puts a status that stops the match in brackets', () => {
    const { store } = show()
    tell(store, aRowChange(12, { fields: { status: 'interrupted' } }))
    expect(within(row(/Hajduk/)).getByText('[Prekinuto]')).toBeTruthy()
  })

  test('hidden, it stays as a strip and can be shown again', async () => {
    const { user } = show()
    await user.click(screen.getByRole('button', { name: 'Sakrij: Rijeka – Osijek' }))
    const strip = screen.getByRole('button', { name: 'Prikaži: Rijeka – Osijek' })
    expect(document.activeElement).toBe(strip)
    await user.click(strip)
    await eventually(() =>
      expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Sakrij: Rijeka – Osijek' })),
    )
  })

  test('opens its match', async () => {
    const { user, store } = show()
    await user.click(screen.getByRole('link', { name: 'Rijeka – Osijek' }))
    expect(store.getState().view.openMatchId).toBe(11)
  })
})

describe('by keyboard', () => {
  test('a sport is one stop, and arrows lead through its rows', async () => {
    const { user } = show()
    screen.getByRole('button', { name: /Drugi stupac kvota/ }).focus()
    await user.tab()
    expect(document.activeElement).toBe(screen.getByRole('link', { name: 'Rijeka – Osijek' }))
    await user.keyboard('{ArrowRight}{ArrowRight}')
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Rijeka – Osijek, Konačan ishod, X, kvota 3.20')
    await user.keyboard('{ArrowDown}')
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Hajduk – Gorica, Konačan ishod, X, kvota 3.20')
    await user.keyboard('{End}')
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Sakrij: Hajduk – Gorica' }))
    await user.tab()
    expect(document.activeElement).toBe(document.body)
  })

  test('the space bar opens a match as Enter does', async () => {
    const { user, store } = show()
    screen.getByRole('link', { name: 'Hajduk – Gorica' }).focus()
    await user.keyboard(' ')
    expect(store.getState().view.openMatchId).toBe(12)
  })

  test('H hides the row', async () => {
    const { user, store } = show()
    screen.getByRole('link', { name: 'Rijeka – Osijek' }).focus()
    await user.keyboard('h')
    expect(store.getState().view.hiddenMatches).toEqual({ 11: true })
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Prikaži: Rijeka – Osijek' }))
  })
})

test('letters do nothing for who has turned that off', async () => {
  const { user, store } = show()
  act(() => {
    store.dispatch(shortcutsTurned(false))
  })
  screen.getByRole('link', { name: 'Rijeka – Osijek' }).focus()
  await user.keyboard('h')
  expect(store.getState().view.hiddenMatches).toEqual({})
})

describe('a league', () => {
  const twoLeagues = () => {
    const [first, second] = soccer().matches
    const matches = [first, { ...second, tournament: 'Engleska' }].flatMap((match) => (match ? [aMatch(match)] : []))
    const store = storeWith(anOffer([aSport({ ...soccer(), matches })]))
    return { user: userEvent.setup(), ...renderWithProviders(<OfferList isShown />, { store }) }
  }
  const names = () => screen.getAllByRole('row').map((each) => within(each).getByRole('rowheader').textContent)

  test('folds to its heading with the number of its matches', async () => {
    const { user } = twoLeagues()
    await user.click(screen.getByRole('button', { name: 'Hrvatska 1. HNL' }))
    await screen.findByRole('button', { name: 'Hrvatska 1. HNL , 1', expanded: false })
    expect(names()).toEqual(['Hrvatska1. HNL, 1', 'Engleska1. HNL', 'Hajduk – Gorica'])
  })

  test('is first in its sport once it is pinned, and the focus stays on its pin', async () => {
    const { user } = twoLeagues()
    await user.click(screen.getByRole('button', { name: 'Na vrh: Engleska, 1. HNL' }))
    expect(names()[0]).toBe('Engleska1. HNL')
    expect(screen.getByRole('button', { name: 'Na vrh: Engleska, 1. HNL', pressed: true })).toBeTruthy()
  })

  test('is reached by the arrows from the names, and skipped from the odds', async () => {
    const { user } = twoLeagues()
    screen.getByRole('link', { name: 'Rijeka – Osijek' }).focus()
    await user.keyboard('{ArrowDown}')
    expect(document.activeElement?.textContent).toBe('Engleska1. HNL')
    await user.keyboard('{Enter}')
    await screen.findByRole('button', { name: /^Engleska/, expanded: false })
    await user.keyboard('{Enter}')
    await screen.findByRole('button', { name: /^Engleska/, expanded: true })
    const second = await screen.findByRole('link', { name: 'Hajduk – Gorica' })
    await user.keyboard('{ArrowDown}')
    expect(document.activeElement).toBe(second)
    await user.keyboard('{ArrowRight}{ArrowUp}')
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Rijeka – Osijek, Konačan ishod, 1, kvota 1.85')
  })
})

describe('a sport', () => {
  test('collapses to its head', async () => {
    const { user } = show()
    await user.click(screen.getByRole('button', { name: 'Sažmi: Nogomet' }))
    expect(screen.queryByRole('grid')).toBeNull()
    expect(screen.getByRole('button', { name: 'Proširi: Nogomet' }).getAttribute('aria-expanded')).toBe('false')
  })

  test('shows another set of odds when asked', async () => {
    const { user } = show()
    await user.click(screen.getByRole('button', { name: 'Prvi stupac kvota: 1X2' }))
    await user.keyboard('{ArrowDown}{Enter}')
    expect(screen.getByRole('button', { name: 'Prvi stupac kvota: Ukupno golova' })).toBe(document.activeElement)
    const shown = [...document.querySelectorAll<HTMLElement>('[data-match-id="11"] [data-odd-id]')]
    // The two sets never show the same: the second one takes what the first has left.
    expect(shown.map((each) => each.dataset['oddId'])).toEqual(['111', '112', '101', '102', '103'])
  })

  test('mounts the rows in sight, and says how many there are', () => {
    const matches = Array.from({ length: 400 }, (_, place) =>
      aMatch({ id: 1000 + place, order: place, home: `D${place}`, away: `G${place}` }),
    )
    renderWithProviders(<OfferList isShown />, { store: storeWith(anOffer([aSport({ matches })])) })
    expect(screen.getByRole('grid').getAttribute('aria-rowcount')).toBe('401')
    expect(screen.getAllByRole('row').length).toBeLessThan(40)
  })
})
