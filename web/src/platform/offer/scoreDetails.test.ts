import { expect, test } from 'vitest'
import type { Pair } from '../../domain/offer'
import { periodsText } from './scoreDetails'

type Row = [what: string, sportId: number, score: Pair, result: string | null, scores: Pair[], text: string]

test.each<Row>([
  [
    'sets',
    5,
    [2, 1],
    '2:1',
    [
      [6, 3],
      [4, 6],
      [7, 5],
    ],
    '6:3  4:6  7:5',
  ],
  [
    'the first half',
    1,
    [2, 1],
    '2:1',
    [
      [1, 0],
      [1, 1],
    ],
    '1:0',
  ],
  [
    'a half and a shoot-out',
    1,
    [2, 2],
    '2:2 (4:3)',
    [
      [1, 0],
      [1, 2],
      [0, 0],
      [4, 3],
    ],
    '1:0 (4:3)',
  ],
  [
    'periods with a shoot-out among them',
    4,
    [3, 3],
    '3:3 (2:1)',
    [
      [3, 2],
      [0, 1],
      [2, 1],
    ],
    '3:2  0:1  2:1',
  ],
  [
    'a result that has the half',
    1,
    [2, 1],
    '2:1 (1:0)',
    [
      [1, 0],
      [1, 1],
    ],
    '1:0',
  ],
  ['a result that has more than the score', 999, [2, 1], '2:1 n.p.', [], 'n.p.'],
  ['nothing but the score', 31, [0, 3], '0:3', [], ''],
  ['a period that is the whole score', 2, [80, 75], '80:75', [[80, 75]], ''],
  ['a period that is played now', 2, [20, 15], null, [[20, 15]], '20:15'],
  ['an end without a result', 2, [20, 15], '', [[20, 15]], ''],
])('%s', (_, sportId, score, result, scores, text) => {
  expect(periodsText({ sportId, status: result === null ? 'q1' : 'ended', score, scores, result })).toBe(text)
})
