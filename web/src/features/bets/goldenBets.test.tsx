/**
 * Reads the bodies of `tests/golden/account/tickets.json`, which the server's tests write, with the client's reader, and
 * checks the cards of their bets. The builders and fixtures of other tests must have the shape of these bodies.
 */
import { screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import GOLDEN from '../../../../tests/golden/account/tickets.json'
import { betOf, betsOf } from '../../../e2e/fixture/bettor'
import { readBet, readSettlements } from '../../protocol/readBets'
import { aToldBet, aToldPair, aToldSettlement } from '../../testing/betBuilders'
import { renderWithProviders } from '../../testing/renderWithProviders'
import { BetCard } from './BetCard'

type Body = Readonly<Record<string, unknown>>
const BODIES = new Map<string, Body>(GOLDEN.map(({ name, body }) => [name, body]))

function body(name: string): Body {
  const found = BODIES.get(name)
  if (!found) {
    throw new Error(`there is no golden bet "${name}"`)
  }
  return found
}

afterEach(() => {
  vi.unstubAllGlobals()
})

/** Renders the opened card of a body, which is also the answer to the card's own call. */
function show(bet: Body): HTMLElement {
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify(bet)))
  renderWithProviders(<BetCard bet={readBet(bet)} isOpenAtFirst />)
  return screen.getByRole('article')
}

/** Without no-break spaces. */
const textOf = (element: HTMLElement) => (element.textContent ?? '').replace(/\s/g, ' ')

const SETTLED = 'Uplata10,00 €Porez na uplatu0,50 €Ulog9,50 €'
const LOST = `${SETTLED}Dobitak prije poreza0,00 €Porez na dobitak0,00 €Isplaćeno0,00 €Oklada više ne može`
const POSSIBLE = `${SETTLED}Mogući dobitak35,74 €Porez na dobitak2,62 €Moguća isplata sada33,12 €Ispiši`
const UNKNOWN = 'Razlog: izvor podataka je ponovno pokrenut i ne poznaje utakmicu'

/** The texts of a card: how it begins, its amount, its two pairs, and its sums. */
const CARDS: Record<string, readonly [head: string, amount: string, pairs: readonly string[], sums: string]> = {
  open: ['Otvorena', '33,12 €moguća isplata', ['OtvorenHome 1…1.75', 'OtvorenHome 2 +2.5…2.15'], POSSIBLE],
  'one pair decided': [
    'Otvorena',
    '33,12 €moguća isplata',
    ['DobitanHome 1…računa se 1.75', 'OtvorenHome 2 +2.5…2.15'],
    POSSIBLE,
  ],
  won: [
    'Dobitna',
    '33,12 €isplata',
    ['DobitanHome 1…računa se 1.75', 'DobitanHome 2 +2.5…računa se 2.15'],
    `${SETTLED}Dobitak prije poreza35,74 €Porez na dobitak2,62 €Isplaćeno33,12 €Dobitak prije poreza: 9,50 € × 1.75 × 2.15`,
  ],
  'half won': [
    'Dobitna',
    '24,51 €isplata',
    ['DobitanHome 1…računa se 1.75', 'Pola dobitanHome 2 +2.5…računa se 1.575umjesto kvote 2.15'],
    `${SETTLED}Dobitak prije poreza26,18 €Porez na dobitak1,67 €Isplaćeno24,51 €Dobitak prije poreza: 9,50 € × 1.75 × 1.575`,
  ],
  'half lost': [
    'Dobitna',
    '8,31 €isplata',
    ['DobitanHome 1…računa se 1.75', 'Pola gubitanHome 2 +2.5…računa se 0.50umjesto kvote 2.15'],
    `${SETTLED}Dobitak prije poreza8,31 €Porez na dobitak0,00 €Isplaćeno8,31 €Dobitak prije poreza: 9,50 € × 1.75 × 0.50`,
  ],
  'dead heat': [
    'Dobitna',
    '17,03 €isplata',
    ['DobitanHome 1…računa se 1.75', 'Podijeljen poredakHome 2 +2.5…računa se 1.075umjesto kvote 2.15'],
    `${SETTLED}Dobitak prije poreza17,87 €Porez na dobitak0,84 €Isplaćeno17,03 €Dobitak prije poreza: 9,50 € × 1.75 × 1.075`,
  ],
  lost: ['Gubitna', '0,00 €isplata', ['GubitanHome 1…kvota 1.75', 'NeodlučenHome 2 +2.5…2.15'], LOST],
  void: [
    'Poništena',
    '10,00 €vraćeno',
    [
      'PoništenHome 1…Home 1 – Away 1računa se 1.00umjesto kvote 1.75',
      'PoništenHome 2 +2.5…računa se 1.00umjesto kvote 2.15',
    ],
    `Uplata10,00 €Vraćeno10,00 €Svi su parovi poništeni, pa se vraća cijela uplata.${UNKNOWN}`,
  ],
  'with a cash-out rule': [
    'Otvorena',
    '33,12 €moguća isplata',
    ['OtvorenHome 1…1.75', 'OtvorenHome 2 +2.5…2.15'],
    POSSIBLE,
  ],
  'cashed out in part': [
    'Otvorena',
    '16,56 €moguća isplata',
    ['DobitanHome 1…računa se 1.75', 'OtvorenHome 2 +2.5…2.15'],
    'Mogući dobitak17,87 €Porez na dobitak1,31 €Moguća isplata sada16,56 €',
  ],
  'cashed out': [
    'Isplaćena prije kraja',
    '22,77 €isplata',
    ['DobitanHome 1…računa se 1.75', 'NeodlučenHome 2 +2.5…2.15'],
    'Uplata10,00 €Isplaćeno22,77 €',
  ],
  corrected: ['Gubitna', '0,00 €isplata', ['DobitanHome 1…računa se 1.75', 'GubitanHome 2 +2.5…kvota 2.15'], LOST],
}

describe('the card of a golden bet', () => {
  it('is described below for each of them', () => {
    expect([...Object.keys(CARDS), 'system'].sort()).toEqual([...BODIES.keys()].sort())
  })

  it.each(Object.entries(CARDS))('%s', (name, [head, amount, pairs, sums]) => {
    const card = show(body(name))
    const text = textOf(card)
    expect(text.startsWith(`${head}Home 1, Home 2 +2.5Standardni, 2 para`)).toBe(true)
    expect(text).toContain(`listić 35Y-TQNM3.76kvota10,00 €uplata${amount}`)
    for (const [place, pair] of pairs.entries()) {
      const [start = '', end = ''] = pair.split('…')
      const row = textOf(within(card).getAllByRole('listitem')[place] as HTMLElement)
      expect([row.slice(0, start.length), row.slice(-end.length)]).toEqual([start, end])
    }
    expect(text).toContain(sums)
    // A reason that all pairs and the settlement have is shown once.
    expect(text.split(UNKNOWN)).toHaveLength(sums.includes(UNKNOWN) ? 2 : 1)
  })

  it('shows corrections with the amounts before and after', async () => {
    const card = show(body('corrected'))
    await within(card).findByText('Ispravci')
    expect(textOf(card)).toContain('33,12 € postaje 0,00 €Razlog: rezultat je ispravljen')
    expect(readSettlements(body('corrected')).map(({ number, state }) => [number, state])).toEqual([
      [1, 'won'],
      [2, 'lost'],
    ])
  })

  it('shows the highest payout of a system, and its fixed pair', () => {
    const card = show(body('system'))
    expect(textOf(card)).toMatch(/^OtvorenaHome 1, Home 2 \+2.5 i još 1Sistem 1\/2, 2 komb\./)
    expect(textOf(card)).toMatch(/–kvota10,00 €uplata30,13 €najveća isplata/)
    expect(textOf(within(card).getAllByRole('listitem')[2] as HTMLElement)).toMatch(/^OtvorenHome 1 Fiks/)
  })
})

/** The fields of an object and the types of their values, except null. */
function shapeOf(raw: unknown): Record<string, string> {
  return Object.fromEntries(Object.entries(raw as Body).map(([field, value]) => [field, kindOf(value)]))
}

function kindOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value
}

const ALL = [...BODIES.values()]
const GOLDEN_PAIRS = ALL.flatMap((bet) => bet['pairs'] as readonly Body[])
const GOLDEN_SETTLEMENTS = ALL.flatMap((bet) => bet['settlement'] ?? [])
const GOLDEN_MADE = ALL.flatMap((bet) => bet['settlements'] as readonly Body[])
const GOLDEN_CASH_OUTS = ALL.flatMap((bet) => bet['cashOuts'] as readonly Body[])
const GOLDEN_POSSIBLE = ALL.flatMap((bet) => bet['possible'] ?? [])

/** Fails if a field is missing, is not the server's, or has a type that it has in none of the golden objects. */
function expectShape(raw: unknown, golden: readonly unknown[], absent: readonly string[] = []) {
  const shape = shapeOf(raw)
  const kinds = new Map<string, Set<string>>()
  for (const [field, kind] of golden.flatMap((one) => Object.entries(shapeOf(one)))) {
    kinds.set(field, (kinds.get(field) ?? new Set()).add(kind))
  }
  const fields = [...kinds.keys()].filter((field) => !absent.includes(field))
  expect(Object.keys(shape).sort()).toEqual(fields.sort())
  for (const [field, kind] of Object.entries(shape)) {
    expect([...(kinds.get(field) ?? [])], field).toContain(kind)
  }
}

/** Checks a bet of the list, which has no `settlements`, in all its parts. */
function expectServersBet(raw: unknown, absent: readonly string[] = ['settlements']) {
  const bet = raw as Body
  expectShape(bet, ALL, absent)
  for (const pair of bet['pairs'] as readonly Body[]) {
    expectShape(pair, GOLDEN_PAIRS)
    expect([pair['factor'] === null, pair['settledAt'] === null]).toEqual(Array(2).fill(pair['result'] === 'open'))
  }
  const { state, status, settlement, possible } = bet as { [field: string]: unknown }
  expect(status).toBe(state)
  expect([possible !== null, settlement === null]).toEqual([
    state === 'open',
    state === 'open' || state === 'cashed_out',
  ])
  for (const cashOut of bet['cashOuts'] as readonly Body[]) {
    expectShape(cashOut, GOLDEN_CASH_OUTS)
  }
  if (settlement) {
    expectShape(settlement, GOLDEN_SETTLEMENTS)
  }
  if (possible) {
    expectShape(possible, GOLDEN_POSSIBLE)
  }
}

describe('the bets of other tests have the shape of the golden ones', () => {
  it('those of the builders', () => {
    for (const state of ['open', 'won', 'lost', 'void']) {
      expectServersBet(aToldBet('A', { state }))
    }
    expectShape(aToldPair(), GOLDEN_PAIRS)
    expectShape(aToldSettlement(), GOLDEN_SETTLEMENTS)
  })

  it.each(betsOf().tickets.map((bet) => [bet.ticketId, bet] as const))('%s of the fixture page', (id, bet) => {
    expectServersBet(bet)
    const { settlements } = betOf(id)
    expectServersBet({ ...bet, settlements }, [])
    for (const made of settlements) {
      expectShape(made, GOLDEN_MADE)
    }
  })
})
