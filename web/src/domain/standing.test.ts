import { expect, test } from 'vitest'
import type { Pair } from './offer'
import { standingOf } from './standing'

const of = (
  [sportId, score]: readonly [number, Pair | null],
  [marketType, oddName, sbv = null]: readonly [number, string, (string | null)?],
) => {
  const standing = standingOf({ marketType, oddName, sbv }, { sportId, score })
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
