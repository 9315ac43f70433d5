import { expect, it } from 'vitest'
import { parts, records } from '../protocol/extras'
import { NO_HISTORY, readHistory } from './history'

const CORNER = [7, 1, null, null, null, null]

it('a history is read, and an incident of a later version left out', () => {
  const goal = [1, 2, 3301, 'second_half', [0, 1], 'D. Petković']
  expect(readHistory([[goal, [99, 1, 5], CORNER], [12, -100], [[1, 2]]])).toEqual({
    incidents: [
      { kind: 'goal', side: 2, seconds: 3301, status: 'second_half', score: [0, 1], player: 'D. Petković' },
      { kind: 'corner', side: 1, seconds: null, status: null, score: null, player: null },
    ],
    pressure: [12, -100],
    counts: [[1, 2]],
  })
})

it.each([null, undefined, 5, 'x', {}, [], [[]], [[], [], 'x'], [[[7, 3]], [], []], [[], ['a'], []]])(
  'whatever is none is none: %j',
  (raw) => {
    expect(readHistory(raw)).toEqual(NO_HISTORY)
  },
)

it('is bounded', () => {
  const history = readHistory([Array(500).fill(CORNER), Array(500).fill(1), Array(50).fill([1, 1])])
  expect([history.incidents.length, history.pressure.length, history.counts.length]).toEqual([200, 130, 20])
})

it('the facts of known topics are read, invalid ones skipped', () => {
  const facts = [
    [1, 2],
    [2, 30, 1, 2, 0],
    [99, 1],
    [7, 1, 0, 'x', 1],
    [4, 1.5, 0],
    'x',
    null,
    [],
    [14, ...Array(481).fill(1)],
  ]
  expect(readHistory([[], [], [], facts]).extras).toEqual({ attack: [2], scores: [30, 1, 2, 0] })
  expect(readHistory([[], [], [], 'x']).extras).toEqual({})
  expect(readHistory([[], [], []]).extras).toBe(undefined)
})

it('the facts are bounded', () => {
  const most = [3, ...Array(480).fill(1)]
  expect(readHistory([[], [], [], [...Array(19).fill([99, 1]), most, [1, 1]]]).extras).toEqual({
    short: Array(480).fill(1),
  })
})

it('an incomplete record is left out, and sets are divided by zeros', () => {
  expect(records([1, 2, 3, 4, 5], 2)).toEqual([
    [1, 2],
    [3, 4],
  ])
  expect(records(undefined, 4)).toEqual([])
  expect(parts([1, 2, 0, 1, 0])).toEqual([[1, 2], [1], []])
})
