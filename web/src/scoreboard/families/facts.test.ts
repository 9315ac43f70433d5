import { describe, expect, it } from 'vitest'
import hr from '../../../../config/translations/hr.json'
import { clockSeconds, clockText } from '../../domain/clock'
import type { Pair } from '../../domain/offer'
import type { Extras } from '../../protocol/extras'
import { aMatch } from '../../testing/builders'
import { seenOf } from '../../testing/seenOf'
import type { MakeFamily, Scene } from '../family'
import { NO_HISTORY } from '../history'
import { shortsOf } from '../shorts'
import { type Canvas, placeGround } from '../stage'
import { makeTexts } from '../texts'
import type { Tracked, TrackedMatch } from '../tracked'
import { makeFamily as baseball } from './baseball'
import { makeFamily as cricket } from './cricket'
import { makeFamily as darts } from './darts'
import { makeFamily as difference } from './difference'
import { makeFamily as mma } from './mma'
import { readRally, serversOf, setPointsOf, setsOf } from './rallies'
import { makeFamily as sheet } from './sheet'
import { makeFamily as snooker } from './snooker'
import { makeFamily as tennis } from './tennis'

const GROUND = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 50 50"><g id="a-surround"/><g id="a-court"/></svg>'
const CANVAS: Canvas = placeGround(GROUND, 355).canvas

type Changes = readonly Partial<TrackedMatch>[]

function trackedOf(changes: Changes): Tracked {
  const { markets: _, ball: __, ...match } = aMatch(Object.assign({}, ...changes))
  return { match, ball: null, history: NO_HISTORY, seen: seenOf(...changes), detailRevision: 1 }
}

function sceneOf(make: MakeFamily, changes: Changes, extras: Extras = {}, nowMs = 1000): Scene {
  const tracked = trackedOf(changes)
  const { match } = tracked
  return make(match.sportId).scene({
    tracked,
    extras,
    texts: makeTexts(hr),
    names: ['Zadar', 'Cibona'],
    nowMs,
    seconds: match.clock && clockSeconds(match.clock, nowMs),
    clock: clockText(match, nowMs),
  })
}

const chips = ({ recent }: Scene) => recent.map(({ text }) => text)
const figures = ({ statistics }: Scene) => statistics.map(({ label, figures: [a, b] }) => `${label} ${a} ${b}`)
const classes = (nodes: readonly Element[] | undefined) =>
  (nodes ?? []).flatMap((node) => [node, ...node.querySelectorAll('*')]).map((node) => node.getAttribute('class'))
const at = (seconds: number) => ({ kind: 'stopped', seconds }) as const

/** What a scene shows: its call, events, statistics and whether it has marks. */
const shown = (scene: Scene) => [scene.call?.text ?? null, chips(scene), figures(scene), scene.marks !== null]

const BASKETBALL = { sportId: 2, status: 'quarter_1', score: [5, 3] as const, clock: at(200) }
const RUGBY = { sportId: 12, status: 'first_half', score: [7, 3] as const, clock: at(900) }
const HOCKEY = { sportId: 4, status: 'period_1', score: [0, 0] as const, clock: at(100) }
const HANDBALL = { ...HOCKEY, sportId: 6, status: 'first_half' }
const FOOTBALL = { sportId: 16, status: 'quarter_1', score: [7, 2] as const, clock: at(600) }
const SET = { sportId: 23, status: 'set_2', score: [1, 0] as const, playerServing: 1 }
const TENNIS = { sportId: 5, status: 'set_1', scores: [[2, 1]] as const, game: ['30', '0'] as const, playerServing: 2 }
const BASEBALL = { sportId: 3, status: 'inning_1', score: [0, 1] as const, scores: [[0, 1]] as const, playerServing: 2 }
const CRICKET = {
  sportId: 21,
  status: 'innings_1',
  score: [14, 0] as const,
  scores: [[14, 0]] as const,
  game: ['14/1', '-'] as const,
  playerServing: 1,
  clock: { kind: 'text', text: '1.2' } as const,
}
const SNOOKER = {
  sportId: 19,
  status: 'frame_2',
  scores: [
    [80, 5],
    [8, 0],
  ] as const,
  game: ['8', '0'] as const,
}
const DARTS = { sportId: 22, status: 'leg_2', score: [1, 0] as const, game: ['401', '501'] as const, playerServing: 2 }
const MMA = { sportId: 117, status: 'round_2', score: null, clock: at(20) }

describe.each<[string, MakeFamily, Partial<TrackedMatch>, Extras, unknown[]]>([
  [
    'basketball',
    difference,
    BASKETBALL,
    { attack: [2], scores: [10, 1, 2, 2, 60, 2, 3, 3, 90, 1, 3, 3], timeouts: [1, 0] },
    [
      'Napad: Cibona',
      ['+3', '+3', '+2'],
      ['Najveće vodstvo 2 1', 'Najduži niz 3:0 3:0', 'U vodstvu 2:40 0:30', 'Trice 1 1'],
      true,
    ],
  ],
  [
    'rugby',
    difference,
    RUGBY,
    { scores: [300, 2, 3, 6, 600, 1, 5, 4, 660, 1, 2, 5] },
    ['Pretvorba, Zadar', ["Esej + 2 11'", "Kazneni 6'"], ['Eseji 1 0', 'Pretvorbe 1/1 0/0', 'Kazneni 0 1'], false],
  ],
  ['a power play', difference, HOCKEY, { short: [2, 84] }, ['Igrač više 1:24', [], [], true]],
  [
    'penalties and shots',
    difference,
    HOCKEY,
    { penalties: [2, 4, 1, 0], shots: [24, 19], timeouts: [1, 0] },
    [null, [], ['Golovi s igračem više 1 0', 'Kazne 4 min 8 min', 'Udarci 24 19'], false],
  ],
  ['suspensions', difference, HANDBALL, { penalties: [3, 4, 2, 1] }, [null, [], ['Isključenja 3 4'], false]],
  [
    'time-outs of futsal',
    difference,
    { ...HANDBALL, sportId: 29 },
    { timeouts: [2, 1] },
    [null, [], ['Minute odmora 2 1'], false],
  ],
  ['equal numbers', difference, HOCKEY, { short: [2, 84, 1, 30] }, [null, [], [], false]],
  [
    'american football',
    difference,
    FOOTBALL,
    { scores: [100, 1, 6, 8, 110, 1, 1, 9, 300, 2, 2, 11] },
    [
      'Safety, Cibona',
      ['Safety', 'Touchdown + 1'],
      ['Touchdowni 1 0', 'Field goalovi 0 0', 'Najveće vodstvo 7 0', 'Najduži niz 7:0 2:0', 'U vodstvu 8:20 0:00'],
      false,
    ],
  ],
  [
    'volleyball',
    sheet,
    {
      ...SET,
      scores: [
        [2, 1],
        [1, 1],
      ] as const,
    },
    { rallies: [1, 1, 2, 0, 2, 1] },
    [
      'Servira Zadar',
      ['1:1', '0:1'],
      ['Osvojeni poeni 3 2', 'Poeni na servis 50\u00a0% 0\u00a0%', 'Najduži niz 2 1', 'Set-lopte 0 0'],
      true,
    ],
  ],
  [
    'tennis',
    tennis,
    TENNIS,
    { games: [1, 111, 22], rallies: [1, 1, 1, 1, 1, 2, 1, 1, 1, 2, 1, 2, 1, 2, 2, 1, 1] },
    [
      'Servira Cibona',
      ['30:0', '15:0'],
      ['Osvojeni poeni 12 5', 'Brejkovi 1 0', 'Gemovi na servis 1/1 1/2', 'Najduži niz poena 5 2'],
      true,
    ],
  ],
  [
    'baseball',
    baseball,
    BASEBALL,
    { bases: [1, 0, 1, 1], batters: [2, 4, 2, 1, 2, 3, 2, 2] },
    [
      'Trkači na 1. i 3. bazi',
      ['Šetnja', 'Udarac', 'Ispad', 'Home run'],
      ['Udarci 0 2', 'Šetnje 0 1', 'Home run 0 1', 'Najbolja izmjena 0 1'],
      true,
    ],
  ],
  [
    'cricket',
    cricket,
    CRICKET,
    { overs: [1, 9, 0, 2, 0, 1, 5, 1, 1, 0], balls: [1, 7, 8, 4] },
    ['Na udaru: Zadar', ['4', 'W', 'wd', '1'], ['Trke po overu 10.50 –', 'Četvorke 3 –', 'Šestice 0 –'], true],
  ],
  [
    'snooker',
    snooker,
    SNOOKER,
    { table: [131, 14, 1, 1, 7], breaks: [1, 1, 62, 1, 2, 20] },
    [
      'Brejk 8',
      ['Brejk 20', 'Brejk 62'],
      ['Najveći brejk 62 20', 'Brejkovi 50+ 1 0', 'Brejkovi 100+ 0 0', 'Poeni u meču 88 5'],
      true,
    ],
  ],
  [
    'darts',
    darts,
    DARTS,
    { visits: [1, 180, 321, 2, 60, 441, 1, 180, 141, 2, 41, 400, 1, 141, 0, 1, 100, 401] },
    [
      'Baca Cibona',
      ['100', '141', '41', '180', '60', '180'],
      ['Prosjek 150.3 50.5', '180 2 0', '100+ 4 0', 'Najveće zatvaranje 141 0'],
      true,
    ],
  ],
  [
    'mixed martial arts',
    mma,
    MMA,
    { control: [...Array(20).fill(1), ...Array(10).fill(0), 2, 2] },
    [
      'Kontrola: Cibona',
      ['1. runda 5:00'],
      ['Kontrola 3:20 0:20', 'Kontrola 1. r. 3:20 0:00', 'Kontrola 2. r. 0:00 0:20', 'Najduža kontrola 3:20 0:20'],
      true,
    ],
  ],
])('the facts of %s', (_, make, match, extras, expected) => {
  it('are shown', () => {
    expect(shown(sceneOf(make, [match], extras))).toEqual(expected)
  })

  it('change nothing if they are empty or make no sense', () => {
    const plain = shown(sceneOf(make, [match]))
    const empty = Object.fromEntries(Object.keys(extras).map((topic) => [topic, []]))
    expect(shown(sceneOf(make, [match], empty))).toEqual(plain)
    const wrong = Object.fromEntries(Object.keys(extras).map((topic) => [topic, [-1, -1, -1, -1, -1]]))
    expect(() => sceneOf(make, [match], wrong).flow?.draw(355)).not.toThrow()
  })

  it('can be drawn at both widths', () => {
    const scene = sceneOf(make, [match], extras)
    for (const width of [355, 530] as const) {
      const drawn = [...(scene.flow?.draw(width) ?? []), ...(scene.more?.draw(width) ?? [])]
      expect(drawn.every((node) => !/NaN|Infinity/.test(node.outerHTML))).toBe(true)
      const marks = scene.marks?.draw(placeGround(GROUND, width).canvas) ?? []
      expect(marks.every((node) => !/NaN|Infinity/.test(node.outerHTML))).toBe(true)
    }
  })
})

describe('a score', () => {
  const lampOf = (before: Pair, extras: Extras, match: Partial<TrackedMatch>) =>
    sceneOf(difference, [{ ...match, score: before }, { score: match.score ?? null }], extras, 2000).lamp?.draw(CANVAS)

  it('of a three lights the arc, a free throw the line, and a basket neither', () => {
    const lit = (way: number, points: number) =>
      lampOf([5 - points, 3], { scores: [90, 1, points, way] }, BASKETBALL)?.filter((node) => node.localName === 'path')
        .length
    expect([lit(3, 3), lit(1, 1), lit(2, 2), lit(0, 3)]).toEqual([1, 1, 0, 0])
  })

  it('of a try lights the in-goal, a kick the posts', () => {
    const lit = (way: number) => classes(lampOf([2, 3], { scores: [90, 1, 5, way] }, { ...RUGBY, score: [7, 3] }))
    expect(lit(4)).toContain('home-fill')
    expect(lit(6).filter((name) => name === 'home-line').length).toBe(3)
    expect(lit(0)).not.toContain('home-line')
  })

  it('that was corrected is left out, with its step', () => {
    const scores = [10, 1, 2, 2, 60, 2, 3, 3, 90, 1, 3, 3]
    expect(chips(sceneOf(difference, [{ ...BASKETBALL, score: [2, 3] }], { scores }))).toEqual(['+3', '+2'])
  })

  it('before the newest ones leaves the beginning empty, and the statistics', () => {
    const scene = sceneOf(difference, [{ ...BASKETBALL, score: [25, 23] }], { scores: [90, 1, 3, 3] })
    expect(figures(scene)).toEqual([])
    const edge = scene.flow
      ?.draw(530)
      .map((node) => node.querySelector('.edge')?.getAttribute('d'))
      .find(Boolean)
    expect(edge).toMatch(/^M32 /)
  })
})

it('a conversion follows a try for a minute, while the match goes on', () => {
  const call = (seconds: number, status = 'first_half', way = 4) => {
    const match = { ...RUGBY, status, score: [5, 0] as const, clock: at(seconds) }
    return sceneOf(difference, [match], { scores: [600, 1, 5, way] }).call
  }
  expect(call(630)).toEqual({ side: 1, text: 'Esej, slijedi pretvorba', name: 'Zadar' })
  expect([call(661), call(630, 'ended'), call(630, 'first_half', 0)].map((one) => one?.text)).toEqual([
    'Esej, Zadar',
    'Esej, Zadar',
    'Zadar +5',
  ])
})

it('a conversion that is still to come is no missed one', () => {
  const conversions = (seconds: number) =>
    figures(
      sceneOf(difference, [{ ...RUGBY, score: [5, 5], clock: at(seconds) }], { scores: [300, 2, 5, 4, 600, 1, 5, 4] }),
    )[1]
  expect([conversions(630), conversions(661)]).toEqual(['Pretvorbe 0/0 0/1', 'Pretvorbe 0/1 0/1'])
})

it('the last scores of rugby have their minute, a try with its conversion', () => {
  const scores = [2820, 2, 3, 6, 3060, 2, 3, 6, 3390, 1, 5, 4, 3430, 1, 2, 5, 3600, 1, 3, 7]
  const scene = sceneOf(difference, [{ ...RUGBY, status: 'second_half', score: [10, 6], clock: at(3700) }], { scores })
  expect(chips(scene)).toEqual(["Drop-gol 61'", "Esej + 2 57'", "Kazneni 52'", "Kazneni 48'"])
})

it('the narrow panel has short words for a touchdown and no long name beside a goal', () => {
  const scores = [100, 1, 6, 8, 110, 1, 1, 9, 300, 1, 3, 10]
  const match = { ...FOOTBALL, score: [10, 0] as const }
  expect(sceneOf(difference, [match], { scores }).recent.map(({ short }) => short)).toEqual(['FG', 'TD + 1'])
  const goal = { kind: 'goal', side: 1, seconds: 100, status: 'first_half', score: [1, 0], player: null } as const
  const futsal = (home: string) => {
    const tracked = trackedOf([{ sportId: 29, home, status: 'first_half', score: [1, 0], clock: at(120) }])
    const { recent } = difference(29).scene({
      tracked: { ...tracked, history: { ...NO_HISTORY, incidents: [goal] } },
      ...{ extras: {}, texts: makeTexts(hr), names: [home, 'Olmissum'], nowMs: 0, seconds: 120, clock: null },
    })
    return recent.map(({ when, text, short }) => [when, text, short])
  }
  expect(futsal('Futsal Dinamo')).toEqual([["2'", 'Futsal Dinamo 1:0', '1:0']])
  expect(futsal('Pula')).toEqual([["2'", 'Pula 1:0', undefined]])
})

describe('a player short', () => {
  it('counts down with the clock, but not without an end', () => {
    const tracked = { ...trackedOf([HOCKEY]), historyAt: 100 }
    const extras = { short: [1, 60, 2, -1, 3, 60] }
    expect(shortsOf(extras, tracked, 130)).toEqual([
      { side: 1, left: 30 },
      { side: 2, left: null },
    ])
    expect(shortsOf(extras, tracked, 160)).toEqual([{ side: 2, left: null }])
  })
})

describe('a power play', () => {
  const call = (short: number[], status = 'period_2') => sceneOf(difference, [{ ...HOCKEY, status }], { short }).call

  it('has the side with more players and the time', () => {
    expect(call([2, 84])).toEqual({ side: 1, text: 'Igrač više 1:24', name: 'Zadar' })
    expect(call([1, -1])).toEqual({ side: 2, text: 'Igrač više', name: 'Cibona' })
  })

  it('has the numbers if two players are missing, but only where they are known', () => {
    expect(call([1, 30, 1, 84])?.text).toBe('5 na 3 0:30')
    expect(call([1, 30, 1, 84], 'overtime')?.text).toBe('Igrač više 0:30')
  })
})

describe('the points of a set', () => {
  const sizes = (numbers: number[], scores: Pair[]) =>
    setsOf(numbers, scores, readRally).map((set) => set && [set.missed, set.won.length])

  it.each<[number[], Pair[], unknown]>([
    [
      [1, 2, 0, 1],
      [
        [1, 1],
        [1, 0],
      ],
      [
        [0, 2],
        [0, 1],
      ],
    ],
    // The oldest ones are missing.
    [
      [2, 0, 1],
      [
        [1, 1],
        [1, 0],
      ],
      [
        [1, 1],
        [0, 1],
      ],
    ],
    // The row has a new set already, or not yet.
    [
      [1, 2],
      [
        [1, 1],
        [0, 0],
      ],
      [
        [0, 2],
        [0, 0],
      ],
    ],
    [[1, 2, 0], [[1, 1]], [[0, 2]]],
    // A point was taken back.
    [[1, 2, 1], [[1, 1]], [[0, 2]]],
    [[], [[1, 1]], [null]],
  ])('%j of %j are %j', (numbers, scores, expected) => {
    expect(sizes(numbers, scores)).toEqual(expected)
  })

  it('are served by two each in table tennis, one each from 10:10', () => {
    const level = Array.from({ length: 22 }, (_, index) => ({ winner: index % 2 === 0 ? 1 : 2 }) as const)
    expect(serversOf(level, 'twoEach', 11, 1).join('')).toBe('1122112211221122112212')
    expect(serversOf([{ winner: 2 }, { winner: 1 }], 'winner', 25, null)).toEqual([null, 2])
  })

  it('are set points where the next one wins, for both at 29:29', () => {
    const level = Array.from({ length: 58 }, (_, index) => ({ winner: index % 2 === 0 ? 1 : 2 }) as const)
    expect(setPointsOf([...level, { winner: 1 }], 21, 30)).toEqual([11, 1])
    expect(setPointsOf(level.slice(0, 39), 21, 30)).toEqual([0, 0])
  })
})

it('a statistic over the match is absent if records of it are missing', () => {
  const many = Array(24).fill([2, 3]).flat()
  expect(
    figures(
      sceneOf(
        baseball,
        [
          {
            ...BASEBALL,
            scores: [
              [0, 1],
              [0, 0],
              [0, 0],
            ],
          },
        ],
        { bases: [0, 0, 0, 0], batters: many },
      ),
    ),
  ).toEqual(['Najbolja izmjena 0 1'])
  expect(figures(sceneOf(darts, [{ ...DARTS, score: [3, 2] }], { visits: [1, 100, 401] }))).toEqual([])
  const breaks = Array(40).fill([3, 1, 50]).flat()
  expect(figures(sceneOf(snooker, [SNOOKER], { breaks }))).toEqual(['Poeni u meču 88 5', 'Najviše u frejmu 80 5'])
})

it('a boundary lights up only if the score and the newest ball agree', () => {
  const lamp = (balls: number[]) =>
    sceneOf(cricket, [{ ...CRICKET, score: [10, 0] }, { score: [14, 0] }], { balls }, 2000).lamp?.draw(CANVAS).length ??
    0
  expect([lamp([1, 4]), lamp([4, 1]), lamp([])]).toEqual([2, 0, 0])
})

it('the balls on the table are full, the others rings', () => {
  const left = (table: number[]) =>
    classes(sceneOf(snooker, [{ ...SNOOKER, playerServing: 1 }], { table }).marks?.draw(CANVAS)).filter(
      (name) => name === 'gone',
    ).length
  expect([left([59, 4, 1]), left([34, 0, 1]), left([18, 0, 1]), left([7, 0, 1])]).toEqual([11, 15, 18, 20])
})
