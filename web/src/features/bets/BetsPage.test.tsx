import { act, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { balanceTold, memberSeen } from '../../platform/account/accountSlice'
import { languageChanged } from '../../platform/preferences/preferencesSlice'
import { betAsked } from '../../platform/view/requests'
import { readBet, readProgress } from '../../protocol/readBets'
import { ALL_RETURNED, aToldBet, aToldPair, aToldSettlement, NOTHING_PAID } from '../../testing/betBuilders'
import { aMatch, anOffer, aSport } from '../../testing/builders'
import { deferred } from '../../testing/deferred'
import { eventually } from '../../testing/eventually'
import { renderWithProviders, storeWith } from '../../testing/renderWithProviders'
import { BetsPage } from './BetsPage'
import { addBets, betChanged, betPlaced, betsReceived } from './betsSlice'

const LOST = { state: 'lost' }
const WON = { state: 'won' }

/** The server's answers, by list and cursor or by ticket. */
const PAGES: Record<string, object> = {
  open: { tickets: [aToldBet('A'), aToldBet('B')], next: 'older' },
  'open older': { tickets: [aToldBet('C')], next: null },
  settled: { tickets: [aToldBet('D', LOST), aToldBet('E', WON)], next: 'older' },
  'settled older': { tickets: [aToldBet('F', { state: 'void' })], next: null },
}

const asked: string[] = []

/** Serves the pages. Older pages and the ticket `OLDER` wait for `late`. Calls for tickets are not listed in `asked`. */
function serve(pages: Record<string, object> = PAGES, late: Promise<void> = Promise.resolve()) {
  asked.length = 0
  const match = aMatch({ id: 1, score: [2, 1], clock: { kind: 'stopped', seconds: 1770 } })
  const store = storeWith(anOffer([aSport({ matches: [match] })]))
  addBets(store)
  store.dispatch(memberSeen({ name: 'ana', balance: '100.00', currency: 'EUR' }))
  vi.stubGlobal('fetch', async (input: string) => {
    const { pathname, searchParams } = new URL(input, 'http://kvota')
    const ticket = /tickets\/(.+)$/.exec(pathname)?.[1]
    const name = [ticket ?? searchParams.get('state'), searchParams.get('cursor')].filter(Boolean).join(' ')
    if (!ticket) {
      asked.push(name)
    }
    if (/older$/i.test(name)) {
      await late
    }
    return pages[name]
      ? new Response(JSON.stringify(pages[name]), { headers: { 'content-type': 'application/json' } })
      : new Response('{}', { status: 404 })
  })
  renderWithProviders(<BetsPage />, { store })
  return store
}

afterEach(() => {
  vi.unstubAllGlobals()
})

const tickets = () => screen.queryAllByRole('article').map((article) => article.dataset['ticketId'])
const choices = () => screen.getAllByRole('radio').map((radio) => radio.textContent)
const choose = (name: RegExp) => userEvent.click(screen.getByRole('radio', { name }))
const older = () => userEvent.click(screen.getByRole('button', { name: 'Starije oklade' }))
const card = (place = 0) => screen.getAllByRole('article')[place] as HTMLElement
/** Without no-break spaces. */
const textOf = (element: HTMLElement) => element.textContent?.replace(/\s/g, ' ')

describe('the lists', () => {
  it('are those of the server, with counts where they are certain', async () => {
    serve()
    await screen.findAllByRole('article')
    expect([asked, tickets()]).toEqual([['open'], ['A', 'B']])
    expect(choices()).toEqual(['Otvorene', 'Riješene', 'Dobitne', 'Gubitne', 'Poništene'])
    await older()
    await eventually(() => expect(choices()[0]).toBe('Otvorene3'))
    await choose(/^Riješene/)
    await eventually(() => expect(tickets()).toEqual(['D', 'E']))
    await older()
    await eventually(() => expect(choices().slice(1)).toEqual(['Riješene3', 'Dobitne1', 'Gubitne1', 'Poništene1']))
  })

  it('of one outcome are completed from older pages', async () => {
    serve()
    await choose(/^Gubitne/)
    await eventually(() => expect(tickets()).toEqual(['D']))
    await userEvent.keyboard('{ArrowRight}')
    expect(screen.getByRole('radio', { name: /^Poništene/, checked: true })).toBe(document.activeElement)
    await eventually(() => expect(tickets()).toEqual(['F']))
    expect(asked).toEqual(['open', 'settled', 'settled older'])
  })

  it('can be empty', async () => {
    const none = { tickets: [], next: null }
    serve({ open: none, settled: none })
    expect(await screen.findByText('Nemate otvorenih oklada')).toBeTruthy()
    await choose(/^Dobitne/)
    expect(await screen.findByText('Takvih oklada nema.')).toBeTruthy()
  })

  it('leave out older bets that arrive after another list was requested', async () => {
    const late = deferred<void>()
    const store = serve(PAGES, late.promise)
    await screen.findAllByRole('article')
    await older()
    act(() => {
      store.dispatch(languageChanged('en'))
    })
    await eventually(() => expect(asked).toEqual(['open', 'open older', 'open']))
    await act(async () => late.resolve())
    await eventually(() => expect(screen.getByRole('button', { name: 'Starije oklade' })).toBeTruthy())
    expect(tickets()).toEqual(['A', 'B'])
  })

  it('load again without the hub when the balance changes', async () => {
    const pages: Record<string, object> = { open: { tickets: [aToldBet('A')], next: null } }
    const store = serve(pages)
    await screen.findAllByRole('article')
    pages['open'] = { tickets: [aToldBet('B'), aToldBet('A')], next: null }
    act(() => {
      store.dispatch(balanceTold('90.00'))
    })
    await eventually(() => expect(tickets()).toEqual(['B', 'A']))
  })
})

describe('with the hub', () => {
  it('the open bets need no call, and follow at once', async () => {
    const store = serve({ settled: { tickets: [aToldBet('D', WON)], next: null } })
    act(() => {
      store.dispatch(betsReceived([readBet(aToldBet('A')), readBet(aToldBet('B', { placedAt: 1_700_000_000_001 }))]))
    })
    await eventually(() => expect(tickets()).toEqual(['B', 'A']))
    expect(choices()[0]).toBe('Otvorene2')
    act(() => {
      store.dispatch(betPlaced(readBet(aToldBet('C', { placedAt: 1_700_000_000_002 }))))
    })
    expect([tickets(), choices()[0]]).toEqual([['C', 'B', 'A'], 'Otvorene3'])
    const results = [{ result: 'won', settledAt: 1_700_000_600_000, factor: '1.85', reason: null }]
    const progress = readProgress({
      ticketId: 'B',
      revision: 2,
      results,
      possible: null,
      ...WON,
      settlement: aToldSettlement(),
    })
    act(() => {
      store.dispatch(betChanged({ cause: 'settled', progress }))
    })
    expect(tickets()).toEqual(['C', 'A'])
    await choose(/^Riješene/)
    await eventually(() => expect(tickets()).toEqual(['B', 'D']))
    expect(choices()[1]).toBe('Riješene2')
  })
})

describe('a card', () => {
  it('of a single names pick, market and match, and the number', async () => {
    serve()
    await screen.findAllByRole('article')
    expect(textOf(card(1))).toMatch(
      /^OtvorenaDinamo ZagrebKonačan ishod, Dinamo Zagreb – Hajduk Split.*listić B22-4M2X/,
    )
  })

  it('of a single names the line with its market, and what the number of a pick counts', async () => {
    const pair = aToldPair({ sportId: 5, marketType: 106, marketName: '1. set: pobjednik gema', sbv: '8' })
    serve({ open: { tickets: [aToldBet('A', { pairs: [pair] })], next: null } })
    await screen.findAllByRole('article')
    expect(textOf(card())).toMatch(/^OtvorenaDinamo Zagreb \(8\. gem\)1\. set: pobjednik gema 8, Dinamo Zagreb –/)
    expect(textOf(within(card()).getByRole('listitem'))).toMatch(/1\. set: pobjednik gema 8, Dinamo Zagreb –/)
  })

  it('of a system names two picks, how many others there are, and its kind', async () => {
    const pairs = [1, 2, 3, 4, 5].map((matchId) => aToldPair({ matchId, isFix: matchId === 1 }))
    serve({ open: { tickets: [aToldBet('A', { systemType: 2, pairs })], next: null } })
    await screen.findAllByRole('article')
    expect(textOf(card())).toMatch(/Dinamo Zagreb, Dinamo Zagreb i još 3Sistem 2\/4, 6 komb\./)
    expect(textOf(card())).toMatch(/16,77 €najveća isplata/)
  })

  it('of an open bet shows results, score and clock, and what is possible now', async () => {
    const pairs = [
      aToldPair(),
      aToldPair({ matchId: 2, home: 'Zadar', result: 'won', factor: '1.85' }),
      aToldPair({ matchId: 3, home: 'Osijek', result: 'half_lost', factor: '0.5', reason: 'result corrected' }),
    ]
    const possible = { gross: '16.26', winTax: '0.68', paid: '15.58' }
    serve({ open: { tickets: [aToldBet('A', { pairs, possible })], next: null } })
    await screen.findAllByRole('article')
    const [first, second, third] = within(card()).getAllByRole('listitem')
    expect(first && textOf(first)).toMatch(/^Sada prolaziDinamo Zagreb.*Rezultat 2:1, Vrijeme 30'/)
    expect(first && within(first).getByRole('link', { name: 'Dinamo Zagreb – Hajduk Split' })).toBeTruthy()
    expect(second && textOf(second)).toMatch(/^DobitanZadar.*računa se 1.85$/)
    expect(third && textOf(third)).toMatch(
      /^Pola gubitanOsijek.*Razlog: rezultat je ispravljen.*0.50umjesto kvote 1.85$/,
    )
    expect(textOf(card())).toMatch(/Moguća isplata sada15,58 €Pri uplati: 16,77 €/)
  })

  it('of a settled bet explains its payout', async () => {
    const pairs = [
      aToldPair({ result: 'half_won', factor: '1.425' }),
      aToldPair({ matchId: 2, result: 'void', factor: '1', reason: 'source_restarted' }),
    ]
    const paid = aToldSettlement({ gross: '13.54', winTax: '0.40', paid: '13.14' })
    serve({ settled: { tickets: [aToldBet('A', { state: 'won', settlement: paid, pairs })], next: null } })
    await choose(/^Riješene/)
    await screen.findAllByRole('article')
    const text = textOf(card())
    expect(text).toMatch(/Pola dobitan.*računa se 1.425umjesto kvote 1.85/)
    expect(text).toMatch(/Poništen.*izvor podataka je ponovno pokrenut/)
    expect(text).toMatch(
      /Uplata10,00 €Porez na uplatu0,50 €Ulog9,50 €Dobitak prije poreza13,54 €Porez na dobitak0,40 €Isplaćeno13,14 €/,
    )
    expect(text).toMatch(/9,50 € × 1.425 × 1.00/)
  })

  it('of a void bet says that the whole stake is returned', async () => {
    const tickets = [aToldBet('A', { state: 'void' })]
    serve({ settled: { tickets, next: null } })
    await choose(/^Riješene/)
    await screen.findAllByRole('article')
    expect(textOf(card())).toMatch(/Vraćeno10,00 €.*Svi su parovi poništeni/)
  })

  it.each([
    ['once if all are the same', ['match abandoned', 'match abandoned'], 'match abandoned', 1],
    ['once if the settlement has none', ['match abandoned', 'match abandoned'], null, 1],
    ['each if they differ', ['match abandoned', 'match postponed'], 'match abandoned', 3],
    ['each if only some have one', ['match abandoned', null], 'match abandoned', 2],
  ])('of a void bet shows its reasons: %s', async (_, reasons, ofBet, count) => {
    const pairs = reasons.map((reason, matchId) => aToldPair({ matchId, result: 'void', factor: '1', reason }))
    const settlement = { ...ALL_RETURNED, reason: ofBet }
    serve({ settled: { tickets: [aToldBet('A', { state: 'void', pairs, settlement })], next: null } })
    await choose(/^Riješene/)
    await screen.findAllByRole('article')
    expect(textOf(card()).match(/Razlog:/g)).toHaveLength(count)
  })

  it('of a bet for which the page was opened comes first, by its ticket id', async () => {
    const store = serve({ open: { tickets: [], next: null }, T2: { ...aToldBet('T2'), settlements: [] } })
    act(() => {
      store.dispatch(betAsked('T2'))
    })
    expect(await screen.findByRole('region', { name: /^Listić T22/ })).toBeTruthy()
    expect(store.getState().bets.asked).toBeNull()
  })

  it('of a bet that was cashed out shows what was paid, and no amount if the server does not send it', async () => {
    const cashOuts = [
      { at: 1_700_000_300_000, share: '0.5', paid: '6.10' },
      { at: 1_700_000_400_000, share: '1', paid: '5.95' },
    ]
    const tickets = [aToldBet('A', { state: 'cashed_out', cashOuts }), aToldBet('B', { state: 'cashed_out' })]
    serve({ settled: { tickets, next: null } })
    await choose(/^Riješene/)
    await screen.findAllByRole('article')
    expect(textOf(card())).toMatch(/^Isplaćena prije kraja.*10,00 €uplata12,05 €isplata.*Uplata10,00 €Isplaćeno12,05 €/)
    expect(textOf(card(1))).toMatch(/^Isplaćena prije kraja.*10,00 €uplata$/)
  })

  it('of a corrected bet shows the amounts before and after', async () => {
    const corrected = aToldBet('A', {
      state: 'lost',
      settlement: { ...NOTHING_PAID, number: 2, reason: 'result corrected' },
    })
    const settlements = [
      { ...aToldSettlement(), state: 'won' },
      { ...(corrected.settlement as unknown as object), state: 'lost' },
    ]
    serve({ settled: { tickets: [corrected], next: null }, A: { ...corrected, settlements } })
    await choose(/^Riješene/)
    expect(await screen.findByText('Ispravci')).toBeTruthy()
    expect(textOf(card())).toMatch(/16,77 € postaje 0,00 €Razlog: rezultat je ispravljen/)
  })

  it('says that it was corrected even if the amounts cannot be loaded', async () => {
    const settlement = aToldSettlement({ number: 2 })
    serve({ settled: { tickets: [aToldBet('A', { state: 'won', settlement })], next: null } })
    await choose(/^Riješene/)
    expect(await screen.findByText('Ispravci ove oklade trenutačno se ne mogu prikazati.')).toBeTruthy()
  })

  it('of an open bet whose settlement was taken back says so', async () => {
    const settlements = [{ ...aToldSettlement(), state: 'won' }]
    serve({ open: { tickets: [aToldBet('A')], next: null }, A: { ...aToldBet('A'), settlements } })
    await eventually(() => expect(textOf(card())).toMatch(/16,77 € postaje otvorena/))
  })
})

describe('a search by number', () => {
  const search = (number: string) => userEvent.type(screen.getByLabelText('Broj listića'), `${number}{Enter}`)

  it('shows the bet alone, until the list is wanted again', async () => {
    serve({ ...PAGES, 'K7Q-4M2X': aToldBet('X', { ...WON, ticketNumber: 'K7Q-4M2X' }) })
    await search(' k7q-4m2x')
    await eventually(() => expect(tickets()).toEqual(['X']))
    await userEvent.click(screen.getByRole('button', { name: 'Natrag na popis' }))
    await eventually(() => expect(tickets()).toEqual(['A', 'B']))
  })

  it('for another number replaces the one that is under way', async () => {
    const late = deferred<void>()
    const found = aToldBet('X', { ...WON, ticketNumber: 'K7Q-4M2X' })
    serve({ ...PAGES, OLDER: aToldBet('W', WON), 'K7Q-4M2X': found }, late.promise)
    await search('older')
    await userEvent.clear(screen.getByLabelText('Broj listića'))
    await search('K7Q-4M2X')
    await eventually(() => expect(tickets()).toEqual(['X']))
    await act(async () => late.resolve())
    expect(tickets()).toEqual(['X'])
  })

  it('that finds nothing says so', async () => {
    serve()
    await search('K7Q4M2Y')
    await eventually(() => expect(screen.getByRole('alert').textContent).toBe('Nemate listić s brojem K7Q4M2Y.'))
    expect(screen.getByLabelText('Broj listića').getAttribute('aria-invalid')).toBe('true')
  })
})
