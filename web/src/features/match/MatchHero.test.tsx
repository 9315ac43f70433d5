import { act, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Match } from '../../domain/offer'
import { type FramesApplied, framesApplied } from '../../platform/offer/offerSlice'
import { aMatch, anOffer, aSport } from '../../testing/builders'
import { renderWithProviders, storeWith } from '../../testing/renderWithProviders'
import { MatchHero } from './MatchHero'

const NO_CHANGES = { sports: [], matches: [], markets: [], odds: [], parts: [] }

test.each<[string, Partial<Match>, string]>([
  ['tennis', { sportId: 5, game: ['40', '15'] }, 'Gem 40:15'],
  ['a tie-break', { sportId: 5, game: ['5', '6'], tiebreak: true }, 'Tie-break 5:6'],
  ['cricket', { sportId: 21, game: ['187/6', '42/2'] }, 'Trke/vratašca 187/6:42/2'],
  ['darts', { sportId: 22, game: ['121', '40'] }, 'Preostalo 121:40'],
  ['snooker', { sportId: 19, game: ['17', '40'] }, 'Poeni 17:40'],
])('the game of %s has its name', (_, fields, text) => {
  const told = aMatch({ id: 17, sportId: fields.sportId ?? 1 })
  const store = storeWith(anOffer([aSport({ id: told.sportId, matches: [told] })]))
  renderWithProviders(<MatchHero match={{ ...EMPTY, ...fields }} />, { store })
  expect(screen.getByText(text)).toBeTruthy()
})

test('the clock of cricket counts overs', () => {
  const store = storeWith(anOffer([aSport({ id: 21, matches: [aMatch({ id: 17, sportId: 21 })] })]))
  renderWithProviders(<MatchHero match={{ ...EMPTY, sportId: 21, clock: { kind: 'text', text: '12.3' } }} />, { store })
  expect(screen.getByText('12.3 ov.')).toBeTruthy()
})

test('the time of a kick-off is no running clock', () => {
  const store = storeWith(anOffer([aSport({ id: 1, matches: [aMatch({ id: 17 })] })]))
  const clock = { kind: 'text', text: '20:30' } as const
  renderWithProviders(<MatchHero match={{ ...EMPTY, sportId: 1, status: 'not_started', clock }} />, { store })
  expect(screen.getByText('20:30').className).toBe('')
})

test.each([
  [5, 'servira'],
  [3, 'na udaru'],
  [19, 'za stolom'],
  [21, 'na udaru'],
  [22, 'baca'],
])('the side whose turn it is in sport %i: %s', (sportId, text) => {
  const store = storeWith(anOffer([aSport({ id: sportId, matches: [aMatch({ id: 17, sportId })] })]))
  renderWithProviders(<MatchHero match={{ ...EMPTY, sportId, playerServing: 2 }} />, { store })
  expect(screen.getByTitle(text).textContent).toBe(`\u00a0, ${text}`)
})

test('the dot of who serves is bound to the last word', () => {
  const store = storeWith(anOffer([aSport({ id: 5, matches: [aMatch({ id: 17, sportId: 5 })] })]))
  renderWithProviders(<MatchHero match={{ ...EMPTY, sportId: 5, playerServing: 2 }} />, { store })
  expect(screen.getByTitle('servira').parentElement?.textContent).toBe('Perić\u00a0, servira')
})

test('the clock of basketball counts down once the end of the period is known', () => {
  const store = storeWith(anOffer([aSport({ id: 2, matches: [aMatch({ id: 17, sportId: 2 })] })]))
  const sent = (
    histories: NonNullable<FramesApplied['histories']>,
    deletedMatches: FramesApplied['deletedMatches'] = [],
  ) =>
    act(() => {
      store.dispatch(
        framesApplied({ changes: NO_CHANGES, movements: [], goals: [], deletedMatches, dateMs: null, histories }),
      )
    })
  const clock = { kind: 'stopped', seconds: 2208 } as const
  renderWithProviders(<MatchHero match={{ ...EMPTY, sportId: 2, status: 'quarter_4', clock }} />, { store })
  expect(screen.getByText('36:48')).toBeTruthy()
  sent([[17, [[], [], [], [[17, 2400]]]]])
  expect(screen.getByText('3:12')).toBeTruthy()
  sent([[17, [[], [], [], []]]])
  expect(screen.getByText('36:48')).toBeTruthy()
  for (const unreadable of [null, 17, [[], [], [], [[17, 'soon'], 5]]]) {
    sent([[17, unreadable]])
    expect(store.getState().periodEnds).toEqual({})
  }
  sent([[17, [[], [], [], [[17, 2400]]]]])
  sent([], [{ id: 17, sportId: 2, home: null, away: null }])
  expect(store.getState().periodEnds).toEqual({})
})

const EMPTY = { id: 17, home: 'Zoranić', away: 'Perić', scores: [] as Match['scores'] } as Match
