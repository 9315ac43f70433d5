import { expect, test } from 'vitest'
import type { Pair } from './offer'
import { standingOf } from './standing'

const of = (
  [sportId, score]: readonly [number, Pair | null],
  [marketType, oddName, sbv = null, oddType = null]: readonly [number, string, (string | null)?, (string | null)?],
) => {
  const marketName = oddName === oddType ? `market ${marketType}` : 'Ishod'
  const standing = standingOf({ marketName, marketType, oddName, sbv, oddType }, { sportId, score })
  return standing?.is === 'needs' ? standing.needs : (standing?.is ?? null)
}

test.each([
  [[1, [2, 1]], [1, '1'], 'leads'],
  [[1, [2, 1]], [1, 'X'], 'trails'],
  [[1, [1, 1]], [1, 'X'], 'leads'],
  [[1, [1, 1]], [1, '2'], 'trails'],
  [[1, [1, 1]], [2, '1X'], 'leads'],
  [[1, [0, 1]], [2, '1X'], 'trails'],
  [[1, [0, 1]], [2, '12'], 'leads'],
  [[1, [1, 1]], [3, '1'], null],
  [[1, [0, 1]], [3, '2'], 'leads'],
  [[1, [2, 1]], [9, '1', '-1.5'], 'trails'],
  [[1, [2, 1]], [9, '2', '-1.5'], 'leads'],
  [[1, [2, 1]], [9, '1', '-1'], null],
  [[1, [2, 1]], [10, 'Da'], 'leads'],
  [[1, [2, 0]], [10, 'Yes'], 'trails'],
  [[1, [2, 0]], [10, 'Не'], 'leads'],
  [[1, [1, 0]], [18, 'Više', '2.5'], 2],
  [[1, [1, 1]], [18, 'Више', '2.5'], 1],
  [[1, [1, 1]], [18, 'Over', '2'], null],
  [[1, [1, 0]], [18, 'Over', '2'], 2],
  [[1, [2, 1]], [18, 'Over', '2.5'], 'leads'],
  [[1, [2, 1]], [18, 'Manje', '2.5'], 'trails'],
  [[1, [1, 1]], [18, 'Мање', '2.5'], 'leads'],
  [[2, [80, 77]], [60, '2'], 'trails'],
  [[2, [80, 80]], [60, '2'], null],
  [[5, [1, 0]], [20, '1'], 'leads'],
  [[5, [1, 0]], [18, 'Više', '22.5'], null],
  [[21, [120, 80]], [60, '1'], null],
  [[1, [2, 1]], [7, '1', '4'], null],
  [[1, [2, 1]], [1, 'home'], null],
  [[1, null], [1, '1'], null],
] as const)('at %j the pair %j stands at %s', (match, pair, standing) => {
  expect(of(match, pair)).toBe(standing)
})

test.each([
  [[1, [2, 1]], [1, 'Burnley', null, '1'], 'leads'],
  [[1, [2, 1]], [1, 'X', null, '2'], 'trails'],
  [[1, [2, 1]], [1, 'Derby', null, '3'], 'trails'],
  [[1, [0, 1]], [10, 'Burnley ili X', null, '9'], 'trails'],
  [[1, [1, 1]], [10, 'Burnley ili Derby', null, '10'], 'trails'],
  [[1, [1, 1]], [10, 'X ili Derby', null, '11'], 'leads'],
  [[1, [1, 0]], [18, 'Više 2.5', '2.5', '12'], 2],
  [[1, [2, 1]], [18, 'Manje 2.5', '2.5', '13'], 'trails'],
  [[1, [1, 1]], [18, 'Manje 2.25', '2.25', '13'], null],
  [[1, [2, 0]], [29, 'Da', null, '74'], 'trails'],
  [[1, [2, 0]], [29, 'Ne', null, '76'], 'leads'],
  [[1, [2, 1]], [16, 'Burnley (-1.5)', '-1.5', '1714'], 'trails'],
  [[1, [2, 1]], [16, 'Derby (+1.5)', '-1.5', '1715'], 'leads'],
  [[1, [2, 1]], [16, 'Burnley (-0.75)', '-0.75', '1714'], null],
  [[2, [80, 77]], [219, 'Zadar', null, '4'], 'leads'],
  [[2, [80, 77]], [225, 'Više 156.5', '156.5', '12'], 'leads'],
  [[2, [80, 77]], [223, 'Cibona (+3.5)', '-3.5', '1715'], 'leads'],
  [[3, [4, 1]], [251, 'Cibona', null, '5'], 'trails'],
  [[3, [4, 1]], [258, 'Manje 8.5', '8.5', '13'], 'leads'],
  [[3, [4, 1]], [256, 'Zadar (-1.5)', '-1.5', '1714'], 'leads'],
  [[4, [1, 3]], [406, 'Zadar', null, '4'], 'trails'],
  [[5, [1, 0]], [186, 'Zadar', null, '4'], 'leads'],
  // Without a description of the market.
  [[1, [0, 1]], [1, '2', null, '2'], 'trails'],
  [[1, [1, 1]], [20, '1', null, '1'], null],
  // Games and points, which the score does not show.
  [[5, [1, 0]], [189, 'Više 22.5', '22.5', '12'], null],
  [[5, [1, 0]], [187, 'Zadar (-1.5)', '-1.5', '1714'], null],
  [[23, [1, 0]], [238, 'Više 180.5', '180.5', '12'], null],
  [[23, [1, 0]], [237, 'Zadar (-1.5)', '-1.5', '1714'], null],
  // The types of the result of the first half, of the away total and of the last goal mean something else here.
  [[1, [2, 1]], [60, '2', null, '3'], null],
  [[1, [0, 1]], [20, 'Da', '0.5', '12'], null],
  [[1, [0, 1]], [9, '1', null, '6'], null],
  [[1, [2, 1]], [10, 'Da', null, '8'], null],
] as const)("at %j a provider's pair %j stands at %s", (match, pair, standing) => {
  expect(of(match, pair)).toBe(standing)
})
