/** Baseball and cricket: the side that bats, and the runs by inning or by ball. */
import type { Pair, Side } from '../../domain/offer'
import { turnName } from '../../i18n/turnName'
import type { Width } from '../address'
import { target } from '../boards'
import { bar as column, cut, margin, mark, tick } from '../charts'
import { svg } from '../dom'
import type { Chip, Drawing, Family, Flow, Input, Scene } from '../family'
import { isBegun, isPlayed } from '../family'
import { isGoal } from '../history'
import type { Seen } from '../sample'
import { of, scoreSteps } from '../seen'
import { CHART_HEIGHT, nameOf } from '../sides'
import { type Canvas, dot, point, type Spot, short, type WingLine, wing, words } from '../stage'
import { bar } from '../statistics'

const BASEBALL = 3

export function makeFamily(sportId: number): Family {
  return sportId === BASEBALL
    ? { ground: () => import('../grounds/baseball.svg?raw'), scene: baseball }
    : { ground: () => import('../grounds/cricket.svg?raw'), scene: cricket }
}

function batting({ tracked }: Input): Side | null {
  const { playerServing } = tracked.match
  return isPlayed(tracked) && (playerServing === 1 || playerServing === 2) ? playerServing : null
}

function callOf(input: Input, side: Side | null): Scene['call'] {
  return side && { side, text: input.texts.t('trackerBatsName', { name: of(input.names, side) }) }
}

// Baseball

/** The innings of a match without extra ones. */
const INNINGS = 9

function baseball(input: Input): Scene {
  const { tracked, texts } = input
  const { match, history, seen } = tracked
  const side = batting(input)
  const runsOfHistory = history.incidents.flatMap(({ kind, side: by, score }): Chip[] =>
    isGoal(kind) && score ? [{ side: by, text: score.join(':') }] : [],
  )
  const runsSeen = scoreSteps(seen).map(({ side: by, score }): Chip => ({ side: by, text: score.join(':') }))
  const best = (at: 0 | 1) => Math.max(0, ...match.scores.map((pair) => pair[at]))
  const hasRuns = match.scores.some(([home, away]) => home + away > 0)
  return {
    call: callOf(input, side),
    recent: (runsOfHistory.length > 0 ? runsOfHistory : runsSeen).reverse().slice(0, 6),
    marks: side && diamond(input, side),
    lamp: null,
    flow: match.scores.length > 0 && isBegun(tracked) ? inningsFlow(input, side) : null,
    statistics: hasRuns ? [bar(texts.t('trackerBestInning'), [best(0), best(1)])] : [],
  }
}

function capital(text: string): string {
  return text.charAt(0).toLocaleUpperCase() + text.slice(1)
}

const BASES: readonly Spot[] = [
  [63.6, -63.6],
  [0, -127.3],
  [-63.6, -63.6],
]

function diamond({ tracked, names, texts, extras }: Input, side: Side): Drawing<Canvas> {
  const { match } = tracked
  const runs = match.scores.at(-1)
  const { bases } = extras
  const left: WingLine[] = [
    [capital(texts.t(turnName(match.sportId))), 'small'],
    [of(names, side), 'mid'],
  ]
  const right: WingLine[] = runs
    ? [
        [texts.t('trackerRunsInInning'), 'small'],
        [String(of(runs, side)), 'mid'],
      ]
    : []
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

// Cricket

function cricket(input: Input): Scene {
  const { tracked } = input
  const side = batting(input)
  const innings = wormsOf(tracked.seen)
  const current = side && innings.filter((worm) => worm.side === side).at(-1)
  return {
    call: callOf(input, side),
    recent: current ? ballsOf(current) : [],
    marks: side && figures(input, side),
    lamp: null,
    flow: innings.some(({ spots }) => spots.length > 1) ? wormFlow(input, innings) : null,
    statistics: [],
  }
}

/** Target and what is needed; before the second innings the runs and the overs. */
function figures({ tracked, texts, clock }: Input, side: Side): Drawing<Canvas> | null {
  const { match } = tracked
  const { t } = texts
  const aim = target(match)
  const score = readWickets(match.game && of(match.game, side))
  if (aim === null && !score) {
    return null
  }
  const other: Side = side === 1 ? 2 : 1
  const lines: Record<Side, WingLine[]> = { 1: [], 2: [] }
  if (aim !== null && match.score) {
    lines[other] = [
      [t('trackerTargetRuns'), 'small'],
      [String(aim), 'big'],
    ]
    lines[side] = [
      [t('trackerNeeds'), 'small'],
      [String(Math.max(0, aim - of(match.score, side))), 'big'],
    ]
  } else if (score) {
    lines[side] = [
      [t('trackerWickets'), 'small'],
      [`${score.runs}/${score.wickets}`, 'big'],
      [clock === null ? '' : t('trackerOvers', { overs: clock }), 'small'],
    ]
  }
  return {
    key: JSON.stringify(lines),
    draw: (c) => [...wing(c, 1, lines[1]), ...wing(c, 2, lines[2])],
  }
}

/** `177/6`; null for any other text. */
export function readWickets(text: string | null): { readonly runs: number; readonly wickets: number } | null {
  const [, runs, wickets] = /^(\d{1,4})\/(\d{1,2})$/.exec(text ?? '') ?? []
  return runs === undefined || wickets === undefined ? null : { runs: Number(runs), wickets: Number(wickets) }
}

interface Ball {
  readonly balls: number
  readonly runs: number
  readonly wickets: number
}

interface Worm {
  readonly side: Side
  readonly spots: readonly Ball[]
}

/** The runs after each ball that was seen, by innings. A correction removes what came after it. */
export function wormsOf(seen: Seen): Worm[] {
  const worms = new Map<string, { side: Side; spots: Ball[] }>()
  for (const { status, server, game, text } of seen) {
    const score = server && game && readWickets(of(game, server))
    const [, overs, balls] = /^(\d{1,2})\.([0-5])$/.exec(text ?? '') ?? []
    if (!score || !server || !/^innings_\d$/.test(status ?? '') || overs === undefined) {
      continue
    }
    const worm = worms.get(`${status} ${server}`) ?? { side: server, spots: [] }
    worms.set(`${status} ${server}`, worm)
    const ball = { ...score, balls: Number(overs) * 6 + Number(balls) }
    worm.spots = [...worm.spots.filter((spot) => spot.balls < ball.balls && spot.runs <= ball.runs), ball]
  }
  return [...worms.values()]
}

/** The last balls, the newest first: runs, or a wicket. Only where the ball before was seen too. */
function ballsOf({ spots }: Worm): Chip[] {
  const chips: Chip[] = []
  for (let index = spots.length - 1; index > 0 && chips.length < 6; index -= 1) {
    const [ball, before] = [spots[index], spots[index - 1]]
    if (!ball || !before || ball.balls - before.balls !== 1) {
      break
    }
    const isOut = ball.wickets > before.wickets
    const runs = ball.runs - before.runs
    chips.push({ side: 0, text: isOut ? 'W' : runs === 0 ? '·' : String(runs), ...(isOut && { tone: 'wicket' }) })
  }
  return chips
}

/** A match of 20 overs, and one of 50. */
const OVERS = [20, 50]

function wormFlow({ texts, names }: Input, worms: readonly Worm[]): Flow {
  const ends = worms.flatMap(({ side, spots }) => {
    const end = spots.at(-1)
    return end ? [`${of(names, side)} ${end.runs}/${end.wickets}`] : []
  })
  return {
    caption: texts.t('trackerRunsByOver'),
    summary: `${ends.join(', ')}.`,
    key: JSON.stringify(worms),
    draw: (width) => wormChart(width, worms),
  }
}

function wormChart(width: Width, worms: readonly Worm[]): SVGElement[] {
  const [left, right, top, bottom] = [margin(width), width - margin(width) - 26, 8, CHART_HEIGHT - 16]
  const balls = Math.max(...worms.flatMap(({ spots }) => spots.map((spot) => spot.balls)))
  const overs = OVERS.find((most) => balls <= most * 6) ?? Math.ceil(balls / 6)
  const most = Math.max(20, ...worms.flatMap(({ spots }) => spots.map(({ runs }) => runs))) * 1.06
  const x = (ball: number) => left + (ball / (overs * 6)) * (right - left)
  const y = (runs: number) => bottom - (runs / most) * (bottom - top)
  const marks = [1, 2, 3, 4].map((part) => (overs / 4) * part)
  const grid = marks.flatMap((over) => [
    cut(x(over * 6), top, bottom),
    tick(x(over * 6), Math.round(over), 'middle', CHART_HEIGHT - 4),
  ])
  const lines = worms.flatMap(({ side, spots }) => {
    const last = spots.at(-1)
    const isOut = (index: number) => (spots[index]?.wickets ?? 0) > (spots[index - 1]?.wickets ?? 0)
    const wickets = spots.flatMap((spot, index) =>
      index > 0 && isOut(index) ? [mark(side, x(spot.balls), y(spot.runs))] : [],
    )
    return last
      ? [
          svg('path', {
            class: `worm ${nameOf(side)}-line`,
            d: `M${spots.map((spot) => point([x(spot.balls), y(spot.runs)])).join('L')}`,
          }),
          ...wickets,
          words([x(last.balls) + 7, y(last.runs) + 4], last.runs, `now ${nameOf(side)}`, 'start'),
        ]
      : []
  })
  return [svg('path', { class: 'axis', d: `M${left} ${bottom}H${short(right)}` }), ...grid, ...lines]
}
