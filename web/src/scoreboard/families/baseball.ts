/** Baseball: runners and outs, the results of the last batters, and the runs by inning. */
import type { Pair, Side } from '../../domain/offer'
import type { TranslationKey } from '../../i18n/keys'
import { asSide, type Extras, records } from '../../protocol/extras'
import type { Width } from '../address'
import { bar as column, margin } from '../charts'
import { svg } from '../dom'
import type { Chip, Drawing, Family, Flow, Input, Scene } from '../family'
import { isBegun } from '../family'
import { isGoal } from '../history'
import { of, scoreSteps } from '../seen'
import { CHART_HEIGHT, nameOf } from '../sides'
import { type Canvas, dot, type Spot, short, type WingLine, wing, words } from '../stage'
import { type Bar, bar } from '../statistics'
import type { Texts } from '../texts'
import { batting, callOf } from './batting'

export function makeFamily(): Family {
  return { ground: () => import('../grounds/baseball.svg?raw'), scene: baseball }
}

/** The innings of a match without extra ones. */
const INNINGS = 9

function baseball(input: Input): Scene {
  const { tracked, texts, extras } = input
  const { match, history, seen } = tracked
  const side = batting(input)
  const runsOfHistory = history.incidents.flatMap(({ kind, side: by, score }): Chip[] =>
    isGoal(kind) && score ? [{ side: by, text: score.join(':') }] : [],
  )
  const runsSeen = scoreSteps(seen).map(({ side: by, score }): Chip => ({ side: by, text: score.join(':') }))
  const batters = battersOf(extras)
  const best = (at: 0 | 1) => Math.max(0, ...match.scores.map((pair) => pair[at]))
  const hasRuns = match.scores.some(([home, away]) => home + away > 0)
  return {
    call: runnersCall(input, side) ?? callOf(input, side),
    recent:
      batters.length > 0
        ? chipsOf(batters, texts)
        : (runsOfHistory.length > 0 ? runsOfHistory : runsSeen).reverse().slice(0, 6),
    marks: side && diamond(input, side),
    lamp: null,
    flow: match.scores.length > 0 && isBegun(tracked) ? inningsFlow(input, side) : null,
    statistics: [
      ...countsOf(input, batters),
      ...(hasRuns ? [bar(texts.t('trackerBestInning'), [best(0), best(1)])] : []),
    ],
  }
}

/** The runners of the side that bats. */
function runnersCall({ texts: { t }, extras, names }: Input, side: Side | null): Scene['call'] {
  const taken = basesOf(extras)?.taken ?? []
  if (!side || taken.length === 0) {
    return null
  }
  const bases = basesText(taken, t)
  const text =
    taken.length > 2
      ? t('trackerBasesLoaded')
      : taken.length > 1
        ? t('trackerRunnersOn', { bases })
        : t('trackerRunnerOn', { base: bases })
  return { side, text, name: of(names, side) }
}

const BASE_NAMES = ['trackerBase1', 'trackerBase2', 'trackerBase3'] as const

/** The occupied bases in words, such as *1. i 3.* */
function basesText(taken: readonly number[], t: Texts['t']): string {
  const [first, second] = taken.flatMap((base) => BASE_NAMES[base - 1] ?? []).map((key) => t(key))
  if (taken.length > 2) {
    return t('trackerBasesAll')
  }
  return first && second ? t('trackerBases', { first, second }) : (first ?? '–')
}

const BASES: readonly Spot[] = [
  [63.6, -63.6],
  [0, -127.3],
  [-63.6, -63.6],
]

interface Bases {
  readonly taken: readonly number[]
  readonly outs: number
}

function basesOf({ bases }: Extras): Bases | null {
  const [first, second, third, outs] = bases ?? []
  if (third === undefined || outs === undefined || outs < 0 || outs > 3) {
    return null
  }
  const taken = [first, second, third].flatMap((isTaken, index) => (isTaken === 1 ? [index + 1] : []))
  return { taken, outs }
}

function diamond({ tracked, names, texts, extras }: Input, side: Side): Drawing<Canvas> {
  const { match } = tracked
  const { t } = texts
  const runs = match.scores.at(-1)
  const bases = basesOf(extras)
  const left: WingLine[] = [
    ...(bases
      ? ([
          [t('trackerOuts'), 'small'],
          [String(bases.outs), 'lamps'],
          ['', 'gap'],
        ] as const)
      : []),
    [t('trackerAtBat'), 'small'],
    [of(names, side), 'mid'],
  ]
  const right: WingLine[] = [
    ...(bases
      ? ([
          [t('trackerOnBases'), 'small'],
          [basesText(bases.taken, t), 'mid'],
          ['', 'gap'],
        ] as const)
      : []),
    ...(runs
      ? ([
          [t('trackerRunsInInning', { inning: match.scores.length }), 'small'],
          [String(of(runs, side)), 'mid'],
        ] as const)
      : []),
  ]
  return {
    key: JSON.stringify([side, left, right, bases]),
    draw: (c) => [
      ...(bases?.taken ?? []).flatMap((base) => {
        const spot = BASES[base - 1]
        return spot ? [runner(c.at(...spot), side)] : []
      }),
      ...(bases ? [dot(c.at(0, 2), side, 4.5)] : []),
      ...wing(c, 1, left),
      ...wing(c, 2, right),
    ],
  }
}

function runner([x, y]: Spot, side: Side): SVGElement {
  return svg(
    'g',
    { class: `ball ${nameOf(side)}` },
    svg('circle', { class: 'halo', cx: short(x), cy: short(y), r: 12 }),
    svg('path', { class: `${nameOf(side)}-fill rim`, d: `M${short(x)} ${short(y - 7.5)}l7.5 7.5l-7.5 7.5l-7.5 -7.5z` }),
  )
}

function inningsFlow({ tracked, texts, names }: Input, side: Side | null): Flow {
  const { scores, status, score } = tracked.match
  const now = status === 'ended' ? -1 : scores.length - 1
  const summary = score ? `${names[0]} ${score[0]}, ${names[1]} ${score[1]}.` : ''
  return {
    caption: texts.t('trackerRunsByInning'),
    summary,
    key: JSON.stringify([scores, now, side]),
    draw: (width) => inningsChart(width, scores, now, side),
  }
}

/** A column for each half of an inning: home up, away down. While away bats, home has not batted in that inning. */
function inningsChart(width: Width, scores: readonly Pair[], now: number, side: Side | null): SVGElement[] {
  const first = Math.max(0, scores.length - 15)
  const count = Math.max(INNINGS, scores.length - first)
  const step = (width - 2 * margin(width)) / count
  const most = Math.max(2, ...scores.flat())
  const [middle, wide] = [CHART_HEIGHT / 2, Math.min(26, step * 0.62)]
  return Array.from({ length: count }, (_, at) => {
    const index = first + at
    const left = margin(width) + at * step + (step - wide) / 2
    const draw = (by: Side, runs: number) => {
      if (runs === 0 || (by === 1 && index === now && side === 2)) {
        return []
      }
      const height = 4 + (runs / most) * 16
      const top = by === 1 ? middle - 9 - height : middle + 9
      const label: Spot = [left + wide / 2, by === 1 ? top - 3 : top + height + 10]
      return [column(by, [left, top, wide, height], index === now), words(label, runs, 'count')]
    }
    const [home = 0, away = 0] = scores[index] ?? []
    const name = words([left + wide / 2, middle + 3.5], index + 1, index === now ? 'tick on' : 'tick')
    return [...draw(1, home), ...draw(2, away), name]
  }).flat()
}

const RESULTS = ['out', 'walk', 'hit', 'homeRun'] as const
type Result = (typeof RESULTS)[number]
const WORDS: Readonly<Record<Result, TranslationKey>> = {
  out: 'trackerOut',
  walk: 'trackerWalk',
  hit: 'trackerHit',
  homeRun: 'trackerHomeRun',
}

interface Batter {
  readonly side: Side
  readonly result: Result
}

function battersOf({ batters }: Extras): Batter[] {
  return records(batters, 2).flatMap(([number, kind = 0]) => {
    const [side, result] = [asSide(number), RESULTS[kind - 1]]
    return side === 0 || !result ? [] : [{ side, result }]
  })
}

/** The results of the last batters, the newest first. */
function chipsOf(batters: readonly Batter[], { t }: Texts): Chip[] {
  return [...batters]
    .reverse()
    .slice(0, 6)
    .map(({ side, result }) => ({
      side,
      text: t(WORDS[result]),
      ...(result === 'homeRun' ? { tone: 'max' as const } : result === 'hit' ? { tone: 'ton' as const } : {}),
    }))
}

const OUTS = 3

/** Hits, walks and home runs, if the outs show that no batter of the match is missing. */
function countsOf({ tracked, texts, extras }: Input, batters: readonly Batter[]): Bar[] {
  const { t } = texts
  const { scores, playerServing, status } = tracked.match
  const bases = basesOf(extras)
  const outs = batters.filter(({ result }) => result === 'out').length
  // Away bats first: while home bats, one more half is complete.
  const halves = 2 * (scores.length - 1) + (playerServing === 1 ? 1 : 0)
  if (batters.length === 0 || status === 'ended' || !bases || outs < OUTS * halves + bases.outs) {
    return []
  }
  const count = (...results: readonly Result[]): Pair => {
    const sum = (side: Side) =>
      batters.filter((batter) => batter.side === side && results.includes(batter.result)).length
    return [sum(1), sum(2)]
  }
  return [
    bar(t('trackerHits'), count('hit', 'homeRun')),
    bar(t('trackerWalks'), count('walk')),
    bar(t('trackerHomeRuns'), count('homeRun')),
  ]
}
