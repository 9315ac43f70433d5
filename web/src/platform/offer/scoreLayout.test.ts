import { expect, test } from 'vitest'
import type { Match, Pair } from '../../domain/offer'
import { figuresOf, periodCount, scoreGrid, scoreLayout, shownPeriods } from './scoreLayout'

const withPeriods = (count: number) => ({ scores: Array.from({ length: count }, (): Pair => [0, 0]) })

test.each([
  ['soccer shows cards and no periods', 1, 2, 0],
  ['tennis keeps three sets', 5, 1, 3],
  ['and has a fifth when it comes to it', 5, 5, 5],
  ['basketball has four quarters and one of overtime', 2, 7, 5],
  ['squash has five games', 37, 3, 5],
  ['what is not known shows what there is', 999, 2, 2],
])('%s', (_, sportId, played, columns) => {
  expect(periodCount(scoreLayout(sportId), [withPeriods(0), undefined, withPeriods(played)])).toBe(columns)
})

test('the width is that of the columns', () => {
  expect(scoreGrid(scoreLayout(5), 3)).toEqual({ template: 'repeat(3, 1.125rem) 1fr', width: 5.875 })
  expect(scoreGrid(scoreLayout(999), 0)).toEqual({ template: '1fr', width: 2.5 })
})

test.each([
  [2, 3, [0, 1, 2]],
  [5, 3, [2, 3, 4]],
])('of %i periods in %i columns these are shown: %j', (played, columns, shown) => {
  expect(shownPeriods(played, columns)).toEqual(shown)
})

test('the game beside the score has its column', () => {
  expect(scoreGrid(scoreLayout(19), 0)).toEqual({ template: '1fr 2.25rem', width: 4.75 })
})

const figures = (match: Partial<Match>) => {
  const whole = { sportId: 1, score: null, scores: [], game: null, ...match } as Match
  return [0, 1].map((side) => {
    const { periods, score, points } = figuresOf(whole, side as 0 | 1, periodCount(scoreLayout(whole.sportId), [whole]))
    return [...periods.map(({ figure }) => figure), score, points]
  })
}

test.each<[string, Partial<Match>, unknown[][]]>([
  [
    'cricket: runs and wickets',
    { sportId: 21, score: [187, 42], game: ['187/6', '42/2'] },
    [
      ['187/6', '187/6'],
      ['42/2', '42/2'],
    ],
  ],
  [
    'cricket before any game: runs',
    { sportId: 21, score: [0, 0] },
    [
      [0, undefined],
      [0, undefined],
    ],
  ],
  [
    'snooker: frames and points',
    { sportId: 19, score: [3, 1], scores: [[17, 40]], game: ['17', '40'] },
    [
      [3, '17'],
      [1, '40'],
    ],
  ],
  [
    'darts: legs and what is left',
    { sportId: 22, score: [4, 2], game: ['121', '40'] },
    [
      [4, '121'],
      [2, '40'],
    ],
  ],
  [
    'darts in sets: sets, legs and what is left',
    {
      sportId: 22,
      score: [1, 0],
      scores: [
        [3, 1],
        [2, 2],
      ],
      game: ['121', '40'],
    },
    [
      [1, 2, '121'],
      [0, 2, '40'],
    ],
  ],
])('%s', (_, match, expected) => {
  expect(figures(match)).toEqual(expected)
})
