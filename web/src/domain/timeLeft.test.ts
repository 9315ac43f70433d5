import { expect, it } from 'vitest'
import type { Clock, Pair } from './offer'
import { timeLeft } from './timeLeft'

const NOW = 1_700_000_000_000

interface State {
  status: string
  clock?: Clock
  score?: Pair
  scores?: readonly Pair[]
}

const at = (status: string, minute: number, periods: number): State => ({
  status,
  clock: { kind: 'running', zeroMs: NOW - minute * 60_000 },
  scores: Array.from({ length: periods }, () => [0, 0] as const),
})
const withText = (status: string, text: string): State => ({ status, clock: { kind: 'text', text } })
const sets = (status: string, score: Pair, ...scores: readonly Pair[]): State => ({ status, score, scores })

const WON: Pair = [25, 20]
const LOST: Pair = [20, 25]

it.each<[sport: string, sportId: number, states: readonly State[]]>([
  [
    'soccer, with stoppage and extra time',
    1,
    [
      at('second_half', 94, 2),
      at('second_half', 91, 2),
      at('second_extra', 118, 4),
      at('awaiting_extra_time', 90, 2),
      at('second_half', 46, 2),
      at('first_half', 47, 1),
      at('first_half', 10, 1),
    ],
  ],
  ['soccer without scores of halves', 1, [at('second_half', 91, 0), at('second_half', 60, 0), at('first_half', 20, 0)]],
  [
    'basketball: a later clock in an earlier quarter belongs to quarters of twelve minutes',
    2,
    [
      at('quarter_4', 39, 4),
      at('overtime', 41, 5),
      at('quarter_4', 35, 4),
      at('quarter_3', 29, 3),
      at('quarter_3', 30.5, 3),
    ],
  ],
  [
    'basketball without a clock',
    2,
    [{ ...at('quarter_3', 0, 3), clock: { kind: 'text', text: 'Q3' } }, at('quarter_2', 11, 2)],
  ],
  ['ice hockey', 4, [at('period_3', 59, 3), at('overtime', 61, 4), at('pause', 40, 2), at('period_1', 19, 1)]],
  [
    'tennis: the deciding set before one that may be the last, and of five sets where three are not enough',
    5,
    [
      sets('set_3', [1, 1], WON, LOST, [5, 4]),
      sets('set_5', [2, 2], WON, LOST, WON, LOST, [3, 3]),
      sets('set_2', [1, 0], WON, [5, 0]),
      sets('set_3', [1, 1], WON, LOST, [0, 0]),
      sets('set_3', [2, 0], WON, WON, [0, 0]),
      sets('set_1', [0, 0], [3, 3]),
      sets('set_1', [0, 0], [0, 0]),
    ],
  ],
  [
    'volleyball: two sets to none before one each, whatever was played',
    23,
    [
      sets('set_5', [2, 2], WON, LOST, WON, LOST, [3, 3]),
      sets('set_4', [2, 1], WON, LOST, WON, [1, 0]),
      sets('set_3', [2, 0], WON, WON, [0, 0]),
      sets('pause', [1, 1], WON, LOST),
      sets('set_1', [0, 0], [3, 3]),
    ],
  ],
  [
    'snooker',
    19,
    [sets('frame_17', [9, 7]), sets('frame_9', [8, 0]), sets('frame_14', [7, 6]), sets('frame_3', [1, 1])],
  ],
  [
    'darts, in legs or in sets',
    22,
    [
      sets('leg_18', [9, 8]),
      sets('set_3', [2, 0], [3, 1], [3, 2], [2, 2]),
      sets('leg_7', [3, 3]),
      sets('leg_1', [0, 0]),
    ],
  ],
  [
    'baseball by half innings and outs',
    3,
    [
      { ...at('extra_innings', 0, 10), clock: { kind: 'text', text: '▲ ○○' } },
      withText('inning_9', '▼ ●●'),
      withText('inning_9', '▲ ○○'),
      withText('inning_8', '▼ ○○'),
      withText('inning_8', '▲ ●●'),
    ],
  ],
  [
    'cricket by overs',
    21,
    [
      withText('innings_2', '19.2'),
      withText('innings_2', '4.1'),
      {
        status: 'pause',
        scores: [
          [0, 150],
          [0, 0],
        ],
      },
      withText('innings_1', '20.0'),
      withText('innings_1', '3.5'),
      withText('innings_1', '30.0'),
    ],
  ],
  ['MMA by rounds', 117, [at('round_3', 4, 0), at('round_2', 1, 0), at('round_4', 0, 0), at('round_1', 3, 0)]],
  ['an unknown sport by what was played', 999, [at('third', 50, 3), at('second', 40, 2), at('second', 30, 2)]],
])('what ends soonest in %s', (_, sportId, states) => {
  const left = states.map((state) => timeLeft({ sportId, clock: null, score: null, scores: [], ...state }, NOW))
  expect(left).toEqual([...left].sort((a, b) => a - b))
})
