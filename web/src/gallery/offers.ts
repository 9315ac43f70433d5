/** Offers in which the team names describe the state of their row. */
import { minute, TWO_WAY, threeWay, total, WATCHED, winner } from '../../e2e/fixture/builders'
import { HIDDEN, SCORED } from '../../e2e/fixture/offer'
import type { Pair } from '../domain/offer'
import type { ToldMatch, ToldOffer } from '../protocol/frames'
import { aMatch, anOffer, aSport } from '../testing/builders'

export const HOVERED = 201
export const FAVOURITE = 202
export const PICKED = 203
export const PICKED_ODD = 8001

let order = 0
function row(home: string, away: string, more: Partial<ToldMatch> = {}): ToldMatch {
  order += 1
  return aMatch({
    home,
    away,
    order,
    status: 'second_half',
    clock: minute(66.4),
    score: [2, 1],
    yellowCards: [2, 0],
    corners: [5, 4],
    redCards: [0, 0],
    tournament: 'MatchRow',
    tournamentDescription: 'every state',
    numberOfOdds: 32,
    markets: [threeWay([1.85, 3.2, 4.1]), total('2.5', [1.72, 1.85])],
    ...more,
  })
}

const prices = (values: readonly [number, number, number], ids?: readonly number[]) => [
  threeWay(values, ids),
  total('3.5'),
]

const twoOdds = () => [winner([1.72, 2.08]), total('9.5')]

export function rowsOffer(): ToldOffer {
  const soccer = [
    row('normal', 'Hajduk Split'),
    row('hover', 'Hajduk Split', { id: HOVERED }),
    row('favourite', 'Hajduk Split', { id: FAVOURITE }),
    row('goal of the guests', 'Hajduk Split', { id: SCORED, score: [2, 2] }),
    row('red cards', 'Hajduk Split', { redCards: [0, 2], yellowCards: [0, 0] }),
    row('on the ticket', 'Hajduk Split', {
      id: PICKED,
      markets: prices([1.85, 3.2, 4.1], [8000, PICKED_ODD, 8002]),
    }),
    row('up with a flash, down, up', 'Hajduk Split', {
      markets: prices([1.85, 3.2, 4.1], [WATCHED + 1, WATCHED + 4, WATCHED + 5]),
    }),
    row('no price, three figures', 'Hajduk Split', { markets: prices([0, 34, 126]) }),
    row('no price of five odds', 'Hajduk Split', { markets: prices([0, 34, 126]), numberOfOdds: 5 }),
    row('hidden', 'Hajduk Split', { id: HIDDEN }),
    row('interrupted, betting off', 'Hajduk Split', {
      status: 'interrupted',
      betting: false,
      clock: { kind: 'stopped', seconds: 3450 },
    }),
    row('not started', 'Hajduk Split', { status: 'not_started', score: null, clock: { kind: 'text', text: '20:30' } }),
    row('injury time', 'with a name that is far too long for the place it has', { clock: minute(93.4) }),
  ]
  const tennis = {
    clock: minute(98),
    markets: twoOdds(),
    corners: null,
    yellowCards: null,
    redCards: null,
    numberOfOdds: 28,
  }
  return anOffer([
    aSport({ id: 1, order: 1, matches: soccer }),
    aSport({
      id: 5,
      order: 2,
      name: 'Tenis',
      preferred: TWO_WAY,
      matches: [
        row('serves', 'L. Perišin', {
          ...tennis,
          status: 'set_3',
          score: [1, 1],
          scores: [
            [6, 4],
            [3, 6],
            [4, 3],
          ],
          game: ['40', '15'],
          playerServing: 1,
        }),
        row('tie-break', 'serves', {
          ...tennis,
          status: 'set_2',
          score: [1, 0],
          scores: [
            [7, 5],
            [6, 6],
          ],
          game: ['5', '6'],
          tiebreak: true,
          playerServing: 2,
          markets: twoOdds(),
        }),
        row('suspended', 'K. Lindqvist', {
          ...tennis,
          status: 'delayed',
          suspended: true,
          clock: null,
          score: [0, 0],
          scores: [[2, 1]],
          markets: twoOdds(),
        }),
      ],
    }),
    aSport({
      id: 2,
      order: 3,
      name: 'Košarka',
      preferred: TWO_WAY,
      matches: [
        row('clock stopped', 'Cibona', {
          status: 'quarter_3',
          clock: { kind: 'stopped', seconds: 401 },
          clockStopped: true,
          score: [57, 60],
          scores: [
            [24, 21],
            [18, 26],
            [15, 13],
          ],
          corners: null,
          yellowCards: null,
          markets: twoOdds(),
        }),
      ],
    }),
  ])
}

interface Board {
  readonly sportId: number
  readonly status: string
  readonly score: Pair
  readonly scores?: readonly Pair[]
  readonly more?: Partial<ToldMatch>
}

const BOARDS: readonly Board[] = [
  {
    sportId: 1,
    status: 'second_half',
    score: [2, 1],
    more: { redCards: [0, 1], yellowCards: [2, 0], corners: [5, 4] },
  },
  {
    sportId: 2,
    status: 'quarter_3',
    score: [57, 60],
    scores: [
      [24, 21],
      [18, 26],
      [15, 13],
    ],
  },
  { sportId: 3, status: 'inning_5', score: [4, 3] },
  {
    sportId: 4,
    status: 'period_2',
    score: [3, 2],
    scores: [
      [1, 2],
      [2, 0],
    ],
  },
  {
    sportId: 5,
    status: 'set_3',
    score: [1, 1],
    scores: [
      [6, 4],
      [3, 6],
      [4, 3],
    ],
    more: { game: ['40', 'A'], playerServing: 2 },
  },
  {
    sportId: 6,
    status: 'second_half',
    score: [24, 22],
    scores: [
      [13, 12],
      [11, 10],
    ],
  },
  {
    sportId: 12,
    status: 'second_half',
    score: [17, 20],
    scores: [
      [10, 13],
      [7, 7],
    ],
  },
  {
    sportId: 16,
    status: 'quarter_2',
    score: [14, 10],
    scores: [
      [7, 3],
      [7, 7],
    ],
  },
  { sportId: 19, status: 'frame_11', score: [4, 6], scores: [[17, 40]], more: { game: ['17', '40'] } },
  {
    sportId: 20,
    status: 'set_4',
    score: [2, 1],
    scores: [
      [11, 7],
      [9, 11],
      [11, 8],
      [5, 5],
    ],
  },
  { sportId: 21, status: 'innings_2', score: [148, 96], more: { game: ['148/10', '96/4'] } },
  {
    sportId: 22,
    status: 'set_3',
    score: [1, 1],
    scores: [
      [3, 1],
      [2, 3],
      [2, 0],
    ],
    more: { game: ['121', '40'] },
  },
  {
    sportId: 23,
    status: 'set_3',
    score: [1, 1],
    scores: [
      [25, 22],
      [19, 25],
      [14, 12],
    ],
  },
  {
    sportId: 29,
    status: 'second_half',
    score: [3, 3],
    scores: [
      [2, 1],
      [1, 2],
    ],
  },
  {
    sportId: 31,
    status: 'set_2',
    score: [1, 0],
    scores: [
      [21, 18],
      [9, 11],
    ],
  },
  {
    sportId: 34,
    status: 'set_2',
    score: [0, 1],
    scores: [
      [18, 21],
      [7, 6],
    ],
  },
  { sportId: 117, status: 'round_2', score: [0, 0] },
  { sportId: 999, status: 'second_half', score: [1, 0], scores: [[1, 0]] },
]

const FIRST_BOARD = 700

/** One match per score layout; the last one is of a sport without its own layout. */
export const BOARD_MATCHES: readonly ToldMatch[] = BOARDS.map(({ sportId, status, score, scores = [], more }, place) =>
  aMatch({
    id: FIRST_BOARD + place,
    sportId,
    status,
    score,
    scores,
    clock: { kind: 'stopped', seconds: 754 },
    ...more,
  }),
)

export const boardsOffer = () =>
  anOffer(
    BOARD_MATCHES.map((match, place) =>
      aSport({ id: match.sportId, order: place, name: `${match.sportId}`, preferred: TWO_WAY, matches: [match] }),
    ),
  )
