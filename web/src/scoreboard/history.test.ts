import { expect, it } from 'vitest'
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
