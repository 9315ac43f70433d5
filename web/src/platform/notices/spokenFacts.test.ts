import { describe, expect, it } from 'vitest'
import type { Match } from '../../domain/offer'
import type { Extras } from '../../protocol/extras'
import { aMatch, anOffer, aSport } from '../../testing/builders'
import { storeWith } from '../../testing/renderWithProviders'
import { selectMatch } from '../offer/offerSelectors'
import { factsOf, spokenOfFacts } from './spokenFacts'

function spoken(sportId: number, before: Extras, now: Extras) {
  const match = aMatch({ id: 1, sportId, home: 'Zadar', away: 'Cibona' })
  const store = storeWith(anOffer([aSport({ id: sportId, matches: [match] })]))
  const announcement = spokenOfFacts(selectMatch(store.getState(), 1) as Match, before, now)
  return announcement && [announcement.key, ...Object.values(announcement.values)].join(' ')
}

const FORTY = [59, 4, 1, 7, 7, 7, 7, 7, 7]
const FIFTY = [...FORTY, 1, 7]

describe('what is announced of the facts of a match', () => {
  it.each<[string, number, Extras, Extras, string | null]>([
    ['a home run', 3, { batters: [1, 1] }, { batters: [1, 1, 2, 4] }, 'spokenHomeRun Cibona'],
    ['no other hit', 3, { batters: [1, 1] }, { batters: [1, 1, 2, 3] }, null],
    ['no old home run', 3, { batters: [2, 4] }, { batters: [2, 4], bases: [0, 0, 0, 1] }, null],
    ['a power play', 4, {}, { short: [2, 120] }, 'spokenPowerPlay Zadar'],
    ['no power play that goes on', 4, { short: [2, 120] }, { short: [2, 60] }, null],
    ['no end of one', 4, { short: [2, 120] }, { short: [] }, null],
    ['no equal numbers', 4, { short: [2, 120] }, { short: [2, 90, 1, 120] }, null],
    ['a break of serve', 5, { games: [1] }, { games: [1, 131] }, 'spokenBreak Zadar'],
    ['a break that ends a set', 5, { games: [1] }, { games: [1, 112, 0] }, 'spokenBreak Cibona'],
    ['no kept serve', 5, { games: [111] }, { games: [111, 2] }, null],
    ['no break before a new set', 5, { games: [1, 111] }, { games: [1, 111, 0] }, null],
    ['a suspension', 6, { short: [1, 20] }, { short: [1, 10, 2, 120] }, 'spokenSuspension Cibona'],
    ['no suspension that is over', 6, { short: [1, 20, 2, 9] }, { short: [1, 11] }, null],
    ['a break of 50', 19, { table: FORTY }, { table: FIFTY }, 'spokenSnookerBreak Zadar 50'],
    ['no break below', 19, { table: FORTY }, { table: [...FORTY, 1] }, null],
    ['no break of 50 again', 19, { table: FIFTY }, { table: [...FIFTY, 7] }, null],
    [
      'a break of 100',
      19,
      { table: [...FIFTY, 7, 7, 7, 7, 7, 7, 7] },
      { table: [...FIFTY, 7, 7, 7, 7, 7, 7, 7, 1] },
      'spokenSnookerBreak Zadar 100',
    ],
    ['a high checkout', 22, { visits: [1, 60, 120] }, { visits: [1, 60, 120, 1, 120, 0] }, 'spokenCheckout Zadar 120'],
    ['no low checkout', 22, { visits: [1, 60, 40] }, { visits: [1, 60, 40, 1, 40, 0] }, null],
    ['nothing of the first facts', 22, {}, { visits: [1, 120, 0] }, null],
    ['nothing of soccer', 1, {}, { short: [1, 60] }, null],
  ])('%s', (_, sportId, before, now, expected) => {
    expect(spoken(sportId, before, now)).toBe(expected)
  })
})

it('facts are read from a history, and are none in any other value', () => {
  expect(factsOf([[], [], [], [[3, 2, 84]]])).toEqual({ short: [2, 84] })
  expect([factsOf(null), factsOf([[], [], []]), factsOf({})]).toEqual([{}, {}, {}])
})
