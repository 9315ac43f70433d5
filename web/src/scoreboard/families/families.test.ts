import { describe, expect, it } from 'vitest'
import hr from '../../../../config/translations/hr.json'
import { clockSeconds, clockText } from '../../domain/clock'
import type { Pair } from '../../domain/offer'
import { isBreakPoint } from '../../domain/points'
import type { Extras } from '../../protocol/extras'
import { aMatch } from '../../testing/builders'
import { seenOf } from '../../testing/seenOf'
import type { MakeFamily, Scene } from '../family'
import { type History, NO_HISTORY } from '../history'
import { type Canvas, placeGround } from '../stage'
import { makeTexts } from '../texts'
import type { TrackedMatch } from '../tracked'
import { makeFamily as baseball } from './baseball'
import { makeFamily as cricket } from './cricket'
import { makeFamily as darts } from './darts'
import { makeFamily as difference } from './difference'
import { makeFamily as mma } from './mma'
import { wormsOf } from './overs'
import { badmintonCourts, columnsOf, makeFamily as sheet } from './sheet'
import { breaksOf, makeFamily as snooker } from './snooker'
import { isFromRight, makeFamily as tennis } from './tennis'
import { legOf, visitsOf } from './visits'
import { wayOut } from './ways'

const GROUND = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 50 50"><g id="a-surround"/><g id="a-court"/></svg>'
const CANVAS: Canvas = placeGround(GROUND, 355).canvas

interface Given {
  readonly history?: History
  readonly extras?: Extras
  readonly nowMs?: number
}

/** The scene after these changes, the last of which is the state of now. */
function sceneOf(
  make: MakeFamily,
  changes: readonly Partial<TrackedMatch>[],
  { history = NO_HISTORY, extras = {}, nowMs = 0 }: Given = {},
): Scene {
  const { markets: _, ball: __, ...match } = aMatch(Object.assign({}, ...changes))
  const seen = seenOf(...changes)
  return make(match.sportId).scene({
    tracked: { match, ball: null, history, seen, detailRevision: 1 },
    extras,
    texts: makeTexts(hr),
    names: ['Zadar', 'Cibona'],
    nowMs,
    seconds: match.clock && clockSeconds(match.clock, nowMs),
    clock: clockText(match, nowMs),
  })
}

const chips = ({ recent }: Scene) => recent.map(({ text }) => text)
const classes = (nodes: readonly Element[]) => nodes.map((node) => node.getAttribute('class'))

describe('the service court', () => {
  it.each<[Pair<string>, boolean, boolean | null]>([
    [['0', '0'], false, true],
    [['15', '0'], false, false],
    [['30', '40'], false, false],
    [['40', '40'], false, true],
    [['AD', '40'], false, false],
    [['3', '4'], true, false],
    [['6', '6'], true, true],
    [['x', '0'], false, null],
  ])('of tennis at %j is from the right: %s', (game, isTiebreak, expected) => {
    expect(isFromRight(game, isTiebreak)).toBe(expected)
  })

  it('of badminton is below the middle for home from the right, and always across', () => {
    expect(badmintonCourts(1, true, false)).toEqual([
      [0, 305, 472, 259],
      [868, 46, 472, 259],
    ])
    expect(badmintonCourts(1, false, false)[0]).toEqual([0, 46, 472, 259])
    expect(badmintonCourts(2, true, false)).toEqual([
      [868, 46, 472, 259],
      [0, 305, 472, 259],
    ])
    expect(badmintonCourts(1, true, true)[0]).toEqual([76, 305, 396, 305])
  })

  it('of tennis doubles at 40:40 is chosen by the receivers, so none is lit', () => {
    const at = (home: string) => {
      const changes = [{ sportId: 5, status: 'set_1', game: ['40', '40'] as const, playerServing: 1, home }]
      return sceneOf(
        () => ({
          ...tennis(),
          scene: (input) => tennis().scene({ ...input, names: [home, 'C'] }),
        }),
        changes,
      )
    }
    const lit = (scene: Scene) => classes(scene.marks?.draw(CANVAS) ?? []).filter((name) => name === 'home-fill').length
    expect([lit(at('A')), lit(at('A / B'))]).toEqual([1, 0])
  })
})

describe('tennis', () => {
  const set = { sportId: 5, status: 'set_1', scores: [[1, 1]] as const, playerServing: 1 }

  it.each<[Pair<string>, boolean]>([
    [['30', '40'], true],
    [['40', '40'], false],
    [['40', 'AD'], true],
    [['40', 'A'], true],
    [['AD', '40'], false],
  ])('%j is a break point: %s', (game, expected) => {
    expect(isBreakPoint(game, 1)).toBe(expected)
  })

  it('has the points of this game, also after a lost advantage', () => {
    const scene = sceneOf(tennis, [
      { ...set, game: ['40', '40'] },
      { game: ['AD', '40'] },
      { game: ['40', '40'] },
      { game: ['40', 'AD'] },
    ])
    expect(scene.recent).toEqual([
      { text: '40:AD', side: 2 },
      { text: '40:40', side: 2 },
      { text: 'AD:40', side: 1 },
    ])
    expect(scene.call).toEqual({ text: 'Brejk-lopta', side: 2, name: 'Cibona' })
  })

  it('has a ring only for a game with a known server', () => {
    const scene = sceneOf(tennis, [
      { ...set, game: ['0', '40'] },
      { scores: [[1, 2]], game: ['0', '0'], playerServing: 2 },
      { scores: [[1, 3]] },
    ])
    const rings = classes(scene.flow?.draw(355) ?? []).filter((name) => name?.startsWith('break'))
    expect(rings).toEqual(['break away-line'])
    expect(scene.flow?.summary).toBe('Zadar: gemova 0, brejkova 0; Cibona: gemova 2, brejkova 1.')
  })
})

describe('a score sheet', () => {
  it('grows with a set that goes on, as to 30:29 in badminton', () => {
    expect([columnsOf(21, 12), columnsOf(21, 59)]).toEqual([41, 61])
    const changes = [{ sportId: 31, status: 'set_1', scores: [[29, 29]] as const }, { scores: [[30, 29]] as const }]
    const scene = sceneOf(sheet, changes)
    expect(chips(scene)).toEqual(['30:29'])
    const cell = scene.flow?.draw(355).filter((node) => node.getAttribute('class') === 'home new')
    expect(Number(cell?.[0]?.getAttribute('x'))).toBeGreaterThan(290)
  })

  it('takes the points of the server of the feed, if there are any', () => {
    const scene = sceneOf(sheet, [{ sportId: 20, status: 'set_1', scores: [[2, 1]] }], {
      extras: { rallies: [1, 2, 1] },
    })
    expect(chips(scene)).toEqual(['2:1', '1:1', '1:0'])
    expect(scene.statistics.map(({ label, figures }) => [label, ...figures])).toEqual([
      ['Osvojeni poeni', '2', '1'],
      ['Najduži niz', '1', '1'],
      ['Set-lopte', '0', '0'],
    ])
  })

  it('has no statistics before the first point, and no mark without a server', () => {
    const scene = sceneOf(sheet, [{ sportId: 23, status: 'set_1', scores: [[0, 0]] }])
    expect([scene.statistics, scene.marks, scene.call, scene.flow]).toEqual([[], null, null, null])
  })
})

describe('the difference', () => {
  const goal = (side: 1 | 2, seconds: number, score: Pair) =>
    ({ kind: 'goal', side, seconds, status: 'first_half', score, player: null }) as const
  const match = {
    sportId: 6,
    status: 'second_half',
    score: [2, 1] as const,
    clock: { kind: 'stopped', seconds: 2400 } as const,
  }
  const incidents = [goal(1, 600, [1, 0]), goal(2, 1200, [1, 1]), goal(1, 1800, [2, 1])]

  it('has chart, statistics and one sentence', () => {
    const scene = sceneOf(difference, [match], { history: { ...NO_HISTORY, incidents } })
    expect(scene.call).toEqual({ text: 'Gol, Zadar 2:1', side: 1 })
    expect(scene.flow?.summary).toBe('Zadar vodi za 1, najviše za 1, a protivnik je najviše vodio za 0.')
    expect(scene.statistics.map(({ label, figures }) => [label, ...figures])).toEqual([
      ['Najveće vodstvo', '1', '0'],
      ['Najduži niz', '1:0', '1:0'],
      ['U vodstvu', '20:00', '0:00'],
    ])
  })

  it('has no highest lead where goals are rare, and the goals of the half in futsal alone', () => {
    const history = { ...NO_HISTORY, incidents }
    const scores = [
      [1, 1],
      [1, 0],
    ] as const
    const of = (sportId: number) =>
      sceneOf(difference, [{ ...match, sportId, scores }], { history }).statistics.map(
        ({ label, figures: [home, away] }) => `${label} ${home} ${away}`,
      )
    expect(of(29)).toEqual(['U vodstvu 20:00 0:00', 'Najduži niz 1 1', 'Golovi 2. pol. 1 0'])
    expect(of(4)).toEqual(['U vodstvu 20:00 0:00', 'Najduži niz 1 1'])
    expect(of(6)).toEqual(['Najveće vodstvo 1 0', 'Najduži niz 1:0 1:0', 'U vodstvu 20:00 0:00'])
  })

  it('has no statistics if the beginning is missing', () => {
    const scene = sceneOf(difference, [match], { history: { ...NO_HISTORY, incidents: incidents.slice(1) } })
    expect(scene.statistics).toEqual([])
    expect(scene.flow).not.toBe(null)
  })

  it('begins with the first state that was seen', () => {
    const clock = (seconds: number) => ({ kind: 'stopped', seconds }) as const
    const changes = [
      { ...match, score: [9, 5], clock: clock(1800) } as const,
      { score: [10, 5], clock: clock(2400) } as const,
    ]
    const edge = sceneOf(difference, changes)
      .flow?.draw(530)
      .map((node) => node.querySelector('.edge')?.getAttribute('d'))
      .find(Boolean)
    // Half of 480 px, and the heights of a lead of four and of five.
    expect(edge).toMatch(/^M254 17H334V10H/)
  })

  it('a basket shows its points, but not those of several scores together', () => {
    const basketball = { sportId: 2, status: 'quarter_1', clock: { kind: 'stopped', seconds: 60 } as const }
    const at = (score: Pair) => sceneOf(difference, [{ ...basketball, score: [10, 8] }, { score }], { nowMs: 2000 })
    const badges = (scene: Scene) => scene.lamp?.draw(CANVAS).map((node) => node.textContent)
    expect(badges(at([10, 11]))).toEqual(['', '+3'])
    expect(badges(at([14, 8]))).toEqual([''])
    expect(at([10, 8]).lamp).toBe(null)
    expect(chips(at([10, 11]))).toEqual(['+3'])
  })
})

describe('darts', () => {
  it('every way out has its points and ends with a double', () => {
    const factor = { S: 1, D: 2, T: 3 }
    const none = []
    for (let left = 2; left <= 170; left += 1) {
      const way = wayOut(left)
      if (way === null) {
        none.push(left)
        continue
      }
      expect([left, way.reduce((sum, { ring, number }) => sum + factor[ring] * number, 0)]).toEqual([left, left])
      expect([left, way.at(-1)?.ring]).toEqual([left, 'D'])
      expect(way.length).toBeLessThanOrEqual(3)
      expect(way.every(({ number, ring }) => number >= 1 && (number <= 20 || (number === 25 && ring === 'D')))).toBe(
        true,
      )
    }
    expect(none).toEqual([159, 162, 163, 165, 166, 168, 169])
    expect([wayOut(1), wayOut(171), wayOut(180)]).toEqual([null, null, null])
  })

  const leg = { sportId: 22, status: 'leg_1', score: [0, 0] as const, game: ['501', '501'] as const, playerServing: 1 }

  it('a visit without points counts only if the thrower changed', () => {
    const seen = seenOf(
      leg,
      { game: ['321', '501'], playerServing: 2 },
      { playerServing: 1 },
      { betting: false },
      { game: ['221', '501'], playerServing: 2 },
    )
    expect(visitsOf(seen).map(({ side, points }) => [side, points])).toEqual([
      [1, 180],
      [2, 0],
      [1, 100],
    ])
    expect(legOf(seen, [221, 501])).toEqual([
      [501, 321, 221],
      [501, 501],
    ])
  })

  it('the checkout is the visit of the winner of the leg', () => {
    const seen = seenOf({ ...leg, game: ['121', '60'] }, { game: ['501', '501'], score: [1, 0], playerServing: 2 })
    expect(visitsOf(seen)).toEqual([{ side: 1, points: 121, left: 0 }])
  })

  it('the way out is that of the thrower, in words too', () => {
    const scene = sceneOf(darts, [{ ...leg, game: ['121', '40'], playerServing: 1 }])
    const wings = scene.marks?.draw(CANVAS).filter((node) => node.getAttribute('class')?.startsWith('wing'))
    expect(wings?.map((node) => node.textContent)).toEqual(['Preostalo', '121', 'T20 T11 D14', 'Preostalo', '40'])
  })
})

describe('snooker', () => {
  it('a break is what a player scored since the other one left the table', () => {
    const at = (home: number, away: number, playerServing: number) => ({
      sportId: 19,
      status: 'frame_1',
      scores: [[home, away]] as const,
      game: [`${home}`, `${away}`] as const,
      playerServing,
    })
    const changes = [at(10, 0, 1), at(10, 0, 2), at(10, 1, 2), at(10, 8, 2), at(14, 8, 1), at(14, 8, 2)]
    // The first visit was not seen from its beginning, and four points of a foul are no break.
    expect(breaksOf(seenOf(...changes))).toEqual([{ side: 2, points: 8 }])
    const scene = sceneOf(snooker, changes, { extras: { table: [59, 4, 1] } })
    expect(scene.flow?.summary).toBe('Zadar 14, Cibona 8.')
    expect(classes(scene.flow?.draw(530) ?? []).filter((name) => name?.startsWith('reach')).length).toBe(2)
  })
})

describe('innings', () => {
  it('home has no runs in an inning while away bats', () => {
    const scene = sceneOf(baseball, [
      {
        sportId: 3,
        status: 'inning_2',
        score: [1, 3],
        scores: [
          [1, 0],
          [0, 3],
        ],
        playerServing: 2,
      },
    ])
    const counts = scene.flow?.draw(530).filter((node) => node.getAttribute('class') === 'count')
    expect(counts?.map((node) => node.textContent)).toEqual(['1', '3'])
    expect(scene.call).toEqual({ text: 'Na udaru: Cibona', side: 2 })
  })

  it('cricket has the balls it has seen, and a wicket', () => {
    const at = (overs: string, game: string) => ({
      clock: { kind: 'text', text: overs } as const,
      game: [game, '-'] as const,
    })
    const first = { sportId: 21, status: 'innings_1', score: [20, 0] as const, playerServing: 1 }
    const changes = [{ ...first, ...at('3.4', '20/1') }, at('3.5', '24/1'), at('4.0', '24/2'), at('4.1', '24/2')]
    expect(wormsOf(seenOf(...changes))[0]?.spots.length).toBe(4)
    expect(chips(sceneOf(cricket, changes))).toEqual(['·', 'W', '4'])
  })
})

describe('mixed martial arts', () => {
  const round = { sportId: 117, status: 'round_2', score: null, clock: { kind: 'stopped', seconds: 200 } as const }

  it('has round and clock, and control only if it is known', () => {
    const plain = sceneOf(mma, [round])
    expect(plain.marks?.draw(CANVAS).map((node) => node.textContent)).toEqual(['2. runda', '03:20'])
    expect([chips(plain), plain.flow, plain.statistics]).toEqual([['1. runda 5:00'], null, []])
    const scene = sceneOf(mma, [round], { extras: { control: [1, 1, 2, 0, 1] } })
    expect(scene.call).toEqual({ text: 'Kontrola: Zadar', side: 1 })
    expect(scene.statistics[0]?.figures).toEqual(['0:30', '0:10'])
  })

  it('has no control of the moment between two rounds', () => {
    const scene = sceneOf(mma, [{ ...round, status: 'pause' }], { extras: { control: [1, 1, 2] } })
    expect(scene.call).toBeNull()
    expect(scene.marks?.draw(CANVAS).filter((node) => node.classList.contains('home-fill'))).toEqual([])
    expect(scene.statistics[0]?.figures).toEqual(['0:20', '0:10'])
  })
})

it('no drawing has a mark of the moment when the match has ended', () => {
  const state = { status: 'ended', score: [2, 1], scores: [[6, 4]], game: ['40', '30'], playerServing: 1 } as const
  for (const [make, sportId] of [
    [tennis, 5],
    [sheet, 31],
    [darts, 22],
    [snooker, 19],
    [baseball, 3],
    [cricket, 21],
    [mma, 117],
    [difference, 6],
  ] as const) {
    const { marks, lamp, call } = sceneOf(make, [{ ...state, sportId }])
    expect([sportId, marks, lamp, call]).toEqual([sportId, null, null, null])
  }
})
