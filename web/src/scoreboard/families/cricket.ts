/** Cricket: target and what is needed, the balls of this over, and the runs by over. */
import type { Pair, Side } from '../../domain/offer'
import type { Width } from '../address'
import { target } from '../boards'
import { axis, bar as column, cut, margin, mark, tick } from '../charts'
import { svg } from '../dom'
import type { Chip, Drawing, Family, Flow, Input, Scene } from '../family'
import { isPlayed } from '../family'
import { freshStep, of } from '../seen'
import { CHART_HEIGHT, nameOf } from '../sides'
import { type Canvas, point, short, type WingLine, wing, words, zone } from '../stage'
import { type Bar, bar } from '../statistics'
import type { Column } from '../table'
import { batting, callOf } from './batting'
import { ballsAt, type Innings, inningsOf, OVERS, type Over, readWickets, type Worm, wormOf, wormsOf } from './overs'

export function makeFamily(): Family {
  return { ground: () => import('../grounds/cricket.svg?raw'), scene: cricket }
}

function cricket(input: Input): Scene {
  const { tracked, extras, texts, clock, nowMs } = input
  const side = batting(input)
  const sent = inningsOf(extras, tracked.match, clock)
  const worms = sent.flatMap((one) => wormOf(one) ?? [])
  const shown = worms.length > 0 ? worms : wormsOf(tracked.seen)
  const current = side && shown.filter((worm) => worm.side === side).at(-1)
  const hit = side && isPlayed(tracked) ? boundaryOf(input, side) : null
  const balls = extras.balls && side ? sentBalls(extras.balls) : []
  return {
    call: hit
      ? {
          side: hit.side,
          text: texts.t(hit.gain === 6 ? 'trackerSix' : 'trackerFour'),
          name: of(input.names, hit.side),
        }
      : callOf(input, side),
    recent: balls.length > 0 ? balls : current && worms.length === 0 ? ballsOf(current) : [],
    marks: side && figures(input, side, sent),
    lamp: hit && { key: `${hit.side} ${hit.atMs}`, draw: boundary(hit.side) },
    flow: shown.some(({ spots }) => spots.length > 1) ? wormFlow(input, shown) : null,
    more: sent.some(({ missed }) => missed !== null) ? oversFlow(input, sent) : null,
    statistics: statisticsOf(input, sent),
    table: tableOf(input, sent),
  }

  /** A four or a six of the last seconds: the score and the newest ball must agree. */
  function boundaryOf({ tracked: { seen } }: Input, by: Side) {
    const fresh = freshStep(seen, nowMs)
    const isHit = fresh && (fresh.gain === 4 || fresh.gain === 6) && extras.balls?.at(-1) === fresh.gain
    return isHit && fresh.side === by ? fresh : null
  }
}

function boundary(side: Side): (c: Canvas) => readonly SVGElement[] {
  return (c) => {
    const [x, y] = c.at(0, 0)
    return [3, 7].map((width, index) =>
      svg('ellipse', {
        class: `${nameOf(side)}-line`,
        'stroke-width': width,
        'stroke-opacity': index === 0 ? 0.85 : 0.22,
        cx: short(x),
        cy: short(y),
        rx: short(823 * c.scale),
        ry: short(686 * c.scale),
      }),
    )
  }
}

/** The balls of this over, the newest first. */
function sentBalls(balls: readonly number[]): Chip[] {
  return [...balls]
    .reverse()
    .slice(0, 6)
    .map((ball): Chip => {
      if (ball === 8) {
        return { side: 0, text: 'W', tone: 'wicket', isDelivery: true }
      }
      const text = ball === 0 ? '·' : ball === 7 ? 'wd' : String(ball)
      return { side: 0, text, isDelivery: true, ...((ball === 4 || ball === 6) && { tone: 'ton' as const }) }
    })
}

const TWENTY = 20
const POWERPLAY = 6

/** Whether the finished innings had twenty overs. */
function isTwenty(innings: readonly Innings[]): boolean {
  return innings.some(({ missed, overs, balls }) => missed === 0 && balls === null && overs.length === TWENTY)
}

const CIRCLE = 'M-100.6 -274.3H100.6A274.3 274.3 0 0 1 100.6 274.3H-100.6A274.3 274.3 0 0 1 -100.6 -274.3z'

/** Target and what is needed; before the second innings the runs and the overs. */
function figures({ tracked, texts, clock }: Input, side: Side, innings: readonly Innings[]): Drawing<Canvas> | null {
  const { match } = tracked
  const { t } = texts
  const aim = target(match)
  const score = readWickets(match.game && of(match.game, side))
  if (aim === null && !score) {
    return null
  }
  const other: Side = side === 1 ? 2 : 1
  const balls = isTwenty(innings) ? ballsAt(clock) : null
  const lines: Record<Side, WingLine[]> = { 1: [], 2: [] }
  if (aim !== null && match.score) {
    lines[other] = [
      [t('trackerTargetRuns'), 'small'],
      [String(aim), 'big'],
      [isTwenty(innings) ? t('trackerOvers', { overs: TWENTY }) : '', 'small'],
    ]
    lines[side] = [
      [t('trackerNeeds'), 'small'],
      [String(Math.max(0, aim - of(match.score, side))), 'big'],
      [balls === null ? '' : t('trackerBallsLeft', { balls: Math.max(0, TWENTY * 6 - balls) }), 'small'],
    ]
  } else if (score) {
    lines[side] = [
      [t('trackerWickets'), 'small'],
      [`${score.runs}/${score.wickets}`, 'big'],
      [clock === null ? '' : t('trackerOvers', { overs: clock }), 'small'],
    ]
  }
  const isPower = aim !== null && balls !== null && balls < POWERPLAY * 6
  return {
    key: JSON.stringify([lines, isPower]),
    draw: (c) => [...(isPower ? [zone(c, side, CIRCLE, 0.16)] : []), ...wing(c, 1, lines[1]), ...wing(c, 2, lines[2])],
  }
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
    const text = isOut ? 'W' : runs === 0 ? '·' : String(runs)
    chips.push({ side: 0, text, isDelivery: true, ...(isOut && { tone: 'wicket' }) })
  }
  return chips
}

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
          // Within the chart the number stands above the other line.
          words(
            [x(last.balls) + 7, y(last.runs) + (last.balls < overs * 6 ? -5 : 4)],
            last.runs,
            `now ${nameOf(side)}`,
            'start',
          ),
        ]
      : []
  })
  return [svg('path', { class: 'axis', d: `M${left} ${bottom}H${short(right)}` }), ...grid, ...lines]
}

/** The runs of each over as columns: home up, away down. */
function oversFlow({ texts, names }: Input, innings: readonly Innings[]): Flow {
  const known = innings.filter(({ missed }) => missed !== null)
  const sums = known.map(({ side, overs }) => `${of(names, side)} ${overs.map(({ runs }) => runs).join(', ')}`)
  return {
    caption: texts.t('trackerRunsOfOvers'),
    summary: `${sums.join('; ')}.`,
    key: JSON.stringify(known),
    draw: (width) => oversChart(width, known),
  }
}

function oversChart(width: Width, innings: readonly Innings[]): SVGElement[] {
  const most = Math.max(12, ...innings.flatMap(({ overs }) => overs.map(({ runs }) => runs)))
  const last = Math.max(...innings.map(({ missed, overs }) => (missed ?? 0) + overs.length))
  const count = OVERS.find((overs) => last <= overs) ?? last
  const step = (width - 2 * margin(width)) / count
  const middle = 37
  const columns = innings.flatMap(({ side, missed, overs, balls }) =>
    overs.flatMap(({ runs, wickets }, index) => {
      const x = margin(width) + ((missed ?? 0) + index) * step
      const height = (runs / most) * 24
      const top = side === 1 ? middle - height : middle + 0.5
      const isNew = balls !== null && index === overs.length - 1
      return [
        ...(runs > 0 ? [column(side, [x, top, step * 0.74, height], isNew)] : []),
        ...Array.from({ length: Math.min(3, wickets) }, (_, at) => {
          const away = height + 5 + at * 4.5
          return mark(side, x + step * 0.37, side === 1 ? middle - away : middle + away, 2.6)
        }),
      ]
    }),
  )
  const marks = [1, 2, 3, 4].map((part) => (count / 4) * part)
  return [
    axis(width, middle),
    ...columns,
    ...marks.map((over) => tick(margin(width) + over * step - step * 0.13, Math.round(over), 'end')),
  ]
}

function statisticsOf({ texts }: Input, innings: readonly Innings[]): Bar[] {
  const { t } = texts
  const known = ([1, 2] as const).map((side) => innings.findLast((one) => one.side === side && one.missed === 0))
  if (known.every((one) => !one)) {
    return []
  }
  const count = (of1: (over: Over) => number): Pair => {
    const sum = (one: Innings | undefined) => one?.overs.reduce((all, over) => all + of1(over), 0) ?? 0
    return [sum(known[0]), sum(known[1])]
  }
  const shown = (pair: Pair, text: (one: Innings, value: number) => string): Pair<string> => {
    const figure = (index: 0 | 1) => (known[index] ? text(known[index], pair[index]) : '–')
    return [figure(0), figure(1)]
  }
  const rates: Pair = [rateOf(known[0]) ?? 0, rateOf(known[1]) ?? 0]
  const [fours, sixes] = [count((over) => over.fours), count((over) => over.sixes)]
  const plain = (_: Innings, value: number) => String(value)
  const first = (one: Innings | undefined) => one?.overs.slice(0, POWERPLAY) ?? []
  const power: Pair = [sumOf(first(known[0])).runs, sumOf(first(known[1])).runs]
  return [
    bar(
      t('trackerRunsAnOver'),
      rates,
      shown(rates, (one, value) => (rateOf(one) === null ? '–' : value.toFixed(2))),
    ),
    bar(t('trackerFours'), fours, shown(fours, plain)),
    bar(t('trackerSixes'), sixes, shown(sixes, plain)),
    ...(isTwenty(innings)
      ? [
          bar(
            t('trackerPowerplayOvers'),
            power,
            shown(power, (one, runs) => `${runs}/${sumOf(first(one)).wickets}`),
          ),
        ]
      : []),
  ]
}

/** The runs an over. */
function rateOf(one: Innings | undefined): number | null {
  return one?.total && one.faced ? one.total.runs / (one.faced / 6) : null
}

/** Runs, wickets, overs, and runs an over where the number of balls is known. */
function tableOf({ tracked, texts, clock }: Input, innings: readonly Innings[]): Column[] | null {
  const { t } = texts
  const { game } = tracked.match
  const sides = ([1, 2] as const).map((side) => innings.findLast((one) => one.side === side))
  if (!game || sides.every((one) => rateOf(one) === null)) {
    return null
  }
  const column = (head: string, text: (index: 0 | 1) => string, name = '', full = head): Column => ({
    head,
    name: full,
    cells: [text(0), text(1)],
    classes: [name, name],
  })
  const score = (index: 0 | 1) => readWickets(game[index])
  const overs = (one: Innings | undefined) =>
    one?.balls ? (clock ?? '') : one?.faced ? String(Math.floor(one.faced / 6)) : ''
  return [
    column(t('scoreCricketRuns'), (index) => String(score(index)?.runs ?? '–')),
    column(t('trackerWicketsHead'), (index) => String(score(index)?.wickets ?? '')),
    column(t('trackerOversHead'), (index) => overs(sides[index])),
    column(t('trackerRunRate'), (index) => rateOf(sides[index])?.toFixed(2) ?? '', 'sum', t('trackerRunsAnOver')),
  ]
}

function sumOf(overs: readonly Over[]): { readonly runs: number; readonly wickets: number } {
  const sum = (value: (over: Over) => number) => overs.reduce((all, over) => all + value(over), 0)
  return { runs: sum(({ runs }) => runs), wickets: sum(({ wickets }) => wickets) }
}
