/** A match of each sport with all facts that its tracker can show. Names and numbers are samples. */

import type { Pair, Side } from '../domain/offer'
import type { Extras } from '../protocol/extras'
import type { ToldMatch } from '../protocol/frames'
import { type History, NO_HISTORY } from '../scoreboard/history'
import { aMatch } from '../testing/builders'
import { HISTORY } from './tracked'

export interface TrackerSample {
  readonly match: ToldMatch
  readonly history: History
  /** The score before its last change, where that lights up. */
  readonly before?: Pair
}

/** The same numbers each time, from 0 to 1. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

/** The winners of the points of a set; the last point is `last`'s. */
function rallies(seed: number, [home, away]: Pair, last: Side): Side[] {
  const random = seeded(seed)
  let [up, down] = [home - (last === 1 ? 1 : 0), away - (last === 2 ? 1 : 0)]
  const won: Side[] = []
  while (up + down > 0) {
    const isHome = down === 0 || (up > 0 && random() < up / (up + down))
    won.push(isHome ? 1 : 2)
    up -= isHome ? 1 : 0
    down -= isHome ? 0 : 1
  }
  return [...won, last]
}

/** The points of all sets, with a 0 between two of them. */
function sets(seed: number, scores: readonly Pair[], last: Side): number[] {
  const won = scores.map((score, index): number[] => {
    const isNow = index === scores.length - 1
    return rallies(seed + index, score, isNow ? last : score[0] > score[1] ? 1 : 2)
  })
  return won.flatMap((points, index) => (index === 0 ? points : [0, ...points]))
}

/** The scores of a match with these parts, of `length` minutes each: seconds, side, points, way. */
function baskets(parts: readonly Pair[], length: number, lastLength: number): number[] {
  const random = seeded(11)
  const all: number[][] = []
  parts.forEach((part, index) => {
    const minutes = index === parts.length - 1 ? lastLength : length
    part.forEach((total, at) => {
      for (let left = total; left > 0; ) {
        const points = Math.min(left, random() < 0.25 ? 3 : random() < 0.2 ? 1 : 2)
        left -= points
        all.push([Math.round((index * length + random() * minutes) * 60), at + 1, points, points])
      }
    })
  })
  return all.sort(([a = 0], [b = 0]) => a - b).flat()
}

/** Goals: the minute and the side of each. */
function goals(times: readonly (readonly [minute: number, side: Side])[], statusAt: (minute: number) => string) {
  let [home, away] = [0, 0]
  const incidents = times.map(([minute, side]) => {
    home += side === 1 ? 1 : 0
    away += side === 2 ? 1 : 0
    const seconds = Math.round(minute * 60)
    return { kind: 'goal', side, seconds, status: statusAt(minute), score: [home, away], player: null } as const
  })
  return { ...NO_HISTORY, incidents }
}

/** Goals of handball, spread over both halves of 30 minutes. */
function handballGoals(halves: readonly Pair[], played: number) {
  const times = halves.flatMap(([home, away], half) => {
    const length = half === 0 ? 30 : played - 30
    return rallies(29 + half, [home, away], 1).map((side, index): [number, Side] => [
      half * 30 + ((index + 1) / (home + away + 0.5)) * length,
      side,
    ])
  })
  return goals(times, (minute) => (minute < 30 ? 'first_half' : 'second_half'))
}

/** `H2!` is a game of home in which the other side won two points, with a break. */
const GAMES = ['H1 A2 H0 A1 H2 A3 H1 A0 H3 H2!', 'H1 A0 A3! A1 H2 A2 H3 A1 A2!', 'A1 H3 A2 H0 A3 H1 H3!'].map((set) =>
  set.split(' ').map((game) => ({
    winner: game.startsWith('H') ? (1 as const) : (2 as const),
    less: Number(game[1]),
    isBreak: game.endsWith('!'),
  })),
)

function games(): number[] {
  return GAMES.flatMap((set, index) => [
    ...(index === 0 ? [] : [0]),
    ...set.map(({ winner, less, isBreak }) => winner + 10 * less + (isBreak ? 100 : 0)),
  ])
}

function tennisPoints(now: Pair): number[] {
  const points = GAMES.map((set, index) =>
    set.flatMap(({ winner, less }, at): Side[] => {
      const most = less === 3 ? 5 : 4
      return rallies(index * 20 + at + 1, winner === 1 ? [most, less] : [less, most], winner)
    }),
  )
  const all = points.flatMap((set, index) => (index === 0 ? set : [0, ...set]))
  return [...all, ...rallies(3, now, 2)]
}

/** The batters of twelve halves and of the one now: hits and walks stand between the outs. */
function batters(): number[] {
  const away = ['oho', 'howo', 'hoo', 'whoo', 'hohho', 'oho']
  const home = ['hHo', 'oo', 'ohow', 'hhwoo', 'hoo', 'owh']
  const kinds = { o: 1, w: 2, h: 3, H: 4 } as const
  const halfOf = (side: Side, text: string) => [...text].flatMap((kind) => [side, kinds[kind as keyof typeof kinds]])
  const whole = (text: string) => text + 'o'.repeat(3 - [...text].filter((kind) => kind === 'o').length)
  const played = away.flatMap((text, index) => [...halfOf(2, whole(text)), ...halfOf(1, whole(home[index] ?? ''))])
  return [...played, ...halfOf(2, 'Howh')]
}

/** A leg: the visits of home and away in turn, until one has nothing left. */
function leg(first: Side, visits: Pair<readonly number[]>): number[] {
  const left: [number, number] = [501, 501]
  const all: number[] = []
  for (let turn = 0; turn < 40; turn += 1) {
    const at = (first - 1 + turn) % 2 === 0 ? 0 : 1
    const points = visits[at][Math.floor(turn / 2)]
    if (points === undefined) {
      break
    }
    left[at] -= points
    all.push(at + 1, points, left[at])
    if (left[at] === 0) {
      break
    }
  }
  return all
}

const FAST = [180, 100, 97, 124] as const
const STEADY = [140, 60, 100, 120, 81] as const
const SLOW = [60, 85, 41, 100, 45] as const

function overs(side: Side, runs: readonly number[], wickets: readonly number[]): number[] {
  return runs.flatMap((made, over) => {
    const sixes = made >= 14 ? 1 : 0
    const fours = Math.min(2, Math.floor((made - 6 * sixes) / 5))
    return [side, made, wickets.filter((at) => at === over + 1).length, fours, sixes]
  })
}

const FIRST_INNINGS = [8, 11, 6, 14, 9, 4, 7, 5, 9, 6, 8, 15, 7, 6, 10, 4, 12, 16, 9, 11]
const SECOND_INNINGS = [5, 9, 12, 7, 15, 6, 8, 4, 11, 9, 6, 14, 8, 10, 7, 12, 15, 5]

interface Sample extends Partial<ToldMatch> {
  readonly facts?: Extras
  readonly past?: History
  readonly before?: Pair
}

const VOLLEYBALL: readonly Pair[] = [
  [25, 21],
  [22, 25],
  [25, 23],
  [18, 16],
]
const BEACH: readonly Pair[] = [
  [21, 18],
  [14, 12],
]
const BADMINTON: readonly Pair[] = [
  [21, 17],
  [14, 12],
]
const TABLE_TENNIS: readonly Pair[] = [
  [11, 8],
  [9, 11],
  [11, 6],
  [7, 8],
]
const SQUASH: readonly Pair[] = [
  [11, 7],
  [8, 11],
  [9, 6],
]

const CARDS = { redCards: [0, 1], yellowCards: [2, 3] } as const

const SAMPLES: readonly Sample[] = [
  {
    ...{ sportId: 1, home: 'Dinamo Zagreb', away: 'Hajduk Split', status: 'second_half', score: [2, 1] },
    scores: [
      [1, 1],
      [1, 0],
    ],
    ...{ ...CARDS, corners: [5, 4], clock: { kind: 'stopped', seconds: 4032 }, past: HISTORY },
  },
  {
    ...{ sportId: 2, home: 'Zadar', away: 'Cibona', status: 'quarter_4', score: [63, 62], before: [63, 59] },
    scores: [
      [21, 19],
      [18, 22],
      [20, 15],
      [4, 6],
    ],
    clock: { kind: 'stopped', seconds: 2208 },
    facts: {
      attack: [1],
      scores: [
        ...baskets(
          [
            [21, 19],
            [18, 22],
            [20, 15],
            [4, 3],
          ],
          10,
          6,
        ),
        ...[2190, 2, 3, 3],
      ],
      timeouts: [3, 4],
      periodEnd: [2400],
    },
  },
  {
    ...{ sportId: 3, home: 'Kelteks', away: 'Grizlis', status: 'inning_7', score: [5, 4], playerServing: 2 },
    scores: [
      [1, 0],
      [0, 1],
      [1, 0],
      [3, 0],
      [0, 2],
      [0, 0],
      [0, 1],
    ],
    clock: { kind: 'text', text: '▲ ●○' },
    facts: { bases: [1, 0, 1, 1], batters: batters() },
  },
  {
    ...{ sportId: 4, home: 'Medveščak', away: 'Sisak', status: 'period_3', score: [3, 2] },
    scores: [
      [1, 1],
      [2, 0],
      [0, 1],
    ],
    clock: { kind: 'stopped', seconds: 2892 },
    facts: { short: [2, 84], timeouts: [1, 0], penalties: [2, 4, 1, 0], shots: [24, 19] },
    past: goals(
      [
        [7.2, 2],
        [14.6, 1],
        [24.8, 1],
        [36.4, 1],
        [43.5, 2],
      ],
      (minute) => `period_${Math.floor(minute / 20) + 1}`,
    ),
  },
  {
    ...{ sportId: 5, home: 'M. Kovačić', away: 'L. Perišin', status: 'set_3', score: [1, 1], playerServing: 1 },
    scores: [
      [6, 4],
      [3, 6],
      [4, 3],
    ],
    ...{ game: ['30', '40'], clock: null, facts: { games: games(), rallies: tennisPoints([2, 3]) } },
  },
  {
    ...{ sportId: 6, home: 'RK Nexe', away: 'PPD Zagreb', status: 'second_half', score: [24, 22], before: [23, 22] },
    scores: [
      [14, 13],
      [10, 9],
    ],
    clock: { kind: 'stopped', seconds: 2898 },
    facts: { short: [2, 65], timeouts: [1, 2], penalties: [3, 4, 2, 1] },
    past: handballGoals(
      [
        [14, 13],
        [10, 9],
      ],
      48.3,
    ),
  },
  {
    ...{ sportId: 12, home: 'Nada Split', away: 'Zagreb', status: 'second_half', score: [22, 19], before: [17, 19] },
    scores: [
      [10, 13],
      [12, 6],
    ],
    ...{ yellowCards: [0, 1], redCards: [0, 0], clock: { kind: 'stopped', seconds: 3486 } },
    facts: {
      scores: [
        ...[360, 2, 3, 6, 780, 1, 5, 4, 840, 1, 2, 5, 1260, 2, 5, 4, 1310, 2, 2, 5, 1740, 1, 3, 6, 2160, 2, 3, 6],
        ...[2640, 1, 5, 4, 2700, 1, 2, 5, 2880, 2, 3, 6, 3120, 2, 3, 6, 3440, 1, 5, 4],
      ],
      short: [2, 372],
    },
  },
  {
    ...{ sportId: 16, home: 'Zagreb Thunder', away: 'Split Sea Wolves', status: 'quarter_3', score: [17, 14] },
    scores: [
      [7, 7],
      [10, 0],
      [0, 7],
    ],
    ...{ playerServing: 1, clock: { kind: 'stopped', seconds: 2178 } },
    facts: {
      attack: [1],
      scores: [
        ...[300, 1, 6, 8, 310, 1, 1, 9, 640, 2, 6, 8, 650, 2, 1, 9, 1210, 1, 6, 8, 1220, 1, 1, 9, 1620, 1, 3, 10],
        ...[2040, 2, 6, 8, 2050, 2, 1, 9],
      ],
      timeouts: [1, 1],
      periodEnd: [2700],
    },
  },
  {
    ...{ sportId: 19, home: 'N. Horvat', away: 'S. Blake', status: 'frame_6', score: [3, 2], playerServing: 1 },
    scores: [
      [71, 48],
      [24, 87],
      [104, 13],
      [80, 51],
      [30, 91],
      [62, 28],
    ],
    ...{ game: ['62', '28'], clock: null },
    facts: {
      table: [59, 4, 1, 1, 7, 1, 7, 1, 7, 1, 7, 1, 7, 1, 6],
      breaks: [1, 1, 57, 1, 2, 31, 2, 2, 87, 3, 1, 104, 4, 1, 66, 5, 2, 72, 6, 2, 28],
    },
  },
  {
    ...{ sportId: 20, home: 'A. Vidović', away: 'J. Marchetti', status: 'set_4', score: [2, 1], playerServing: 2 },
    ...{ scores: TABLE_TENNIS, clock: null, facts: { rallies: sets(7, TABLE_TENNIS, 2) } },
  },
  {
    ...{
      sportId: 21,
      home: 'Zagreb Sokol',
      away: 'Split CC',
      status: 'innings_2',
      score: [177, 163],
      before: [177, 159],
    },
    scores: [
      [177, 0],
      [0, 163],
    ],
    ...{ game: ['177/6', '163/8'], playerServing: 2, clock: { kind: 'text', text: '17.3' } },
    facts: {
      overs: [
        ...overs(1, FIRST_INNINGS, [3, 6, 8, 13, 17, 19]),
        ...overs(2, SECOND_INNINGS, [2, 5, 7, 8, 11, 14, 16, 18]),
      ],
      balls: [1, 8, 4],
    },
  },
  {
    ...{ sportId: 22, home: 'B. Krčmar', away: 'R. de Vries', status: 'leg_8', score: [4, 3], playerServing: 1 },
    ...{ scores: [], game: ['121', '135'], clock: null },
    facts: {
      visits: [
        ...leg(1, [FAST, SLOW]),
        ...leg(2, [SLOW, STEADY]),
        ...leg(1, [STEADY, SLOW]),
        ...leg(2, [SLOW, FAST]),
        ...leg(1, [FAST, SLOW]),
        ...leg(2, [STEADY, SLOW]),
        ...leg(1, [SLOW, STEADY]),
        ...leg(1, [
          [140, 100, 80, 60],
          [41, 85, 140, 100],
        ]),
      ],
    },
  },
  {
    ...{ sportId: 23, home: 'Mladost Zagreb', away: 'Mursa Osijek', status: 'set_4', score: [2, 1] },
    ...{ scores: VOLLEYBALL, playerServing: 1, clock: null, facts: { rallies: sets(12, VOLLEYBALL, 1) } },
  },
  {
    ...{ sportId: 29, home: 'Futsal Dinamo', away: 'Olmissum', status: 'second_half', score: [4, 3], before: [3, 3] },
    scores: [
      [2, 2],
      [2, 1],
    ],
    ...{ clock: { kind: 'stopped', seconds: 2106 }, facts: { timeouts: [1, 1] } },
    past: goals(
      [
        [4.1, 1],
        [9.3, 2],
        [11.8, 2],
        [17.6, 1],
        [23.1, 1],
        [28.4, 2],
        [34.9, 1],
      ],
      (minute) => (minute < 20 ? 'first_half' : 'second_half'),
    ),
  },
  {
    ...{ sportId: 31, home: 'Š. Đurkinjak', away: 'P. Lindqvist', status: 'set_2', score: [1, 0] },
    ...{ scores: BADMINTON, playerServing: 1, clock: null, facts: { rallies: sets(21, BADMINTON, 1) } },
  },
  {
    ...{ sportId: 34, home: "Crnković / Dell'Orco", away: 'Berger / Novak', status: 'set_2', score: [1, 0] },
    ...{ scores: BEACH, playerServing: 2, clock: null, facts: { rallies: sets(14, BEACH, 2) } },
  },
  {
    ...{ sportId: 117, home: 'I. Vrdoljak', away: 'D. Santos', status: 'round_2', score: null, scores: [] },
    clock: { kind: 'stopped', seconds: 200 },
    facts: {
      control: [
        ...[0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 2, 2, 2, 2, 2, 2, 2, 2, 0, 0, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0],
        ...[0, 1, 1, 1, 1, 1, 1, 1, 0, 0, 2, 2, 0, 1, 1, 1, 1, 1, 1, 1],
      ],
    },
  },
  {
    ...{ sportId: 37, home: 'M. Ašić', away: 'T. El Rashid', status: 'set_3', score: [1, 1] },
    ...{ scores: SQUASH, playerServing: 1, clock: null, facts: { rallies: sets(33, SQUASH, 1) } },
  },
]

const FIRST = 800

export const TRACKER_SAMPLES: readonly TrackerSample[] = SAMPLES.map(({ facts, past, before, ...match }, place) => ({
  match: aMatch({ id: FIRST + place, corners: null, yellowCards: null, redCards: null, ...match }),
  history: { ...(past ?? NO_HISTORY), ...(facts && { extras: facts }) },
  ...(before && { before }),
}))
