/** Darts: what is left with the usual way out, the visits, and the points left after each of them. */
import type { Pair, Side } from '../../domain/offer'
import type { Width } from '../address'
import { margin, mark, tick } from '../charts'
import { svg } from '../dom'
import type { Drawing, Family, Flow, Input, Scene } from '../family'
import { isBegun, isPlayed } from '../family'
import { of } from '../seen'
import { CHART_HEIGHT, nameOf, shortNames } from '../sides'
import { type Canvas, point, type Spot, short, type WingLine, wing, words } from '../stage'
import { type Bar, bar } from '../statistics'
import type { Column } from '../table'
import type { Texts } from '../texts'
import { isWhole, leftOf, legOf, legsOf, sentLeg, sentVisits, type Visit, visitsOf } from './visits'
import { type Dart, dartText, wayOut } from './ways'

const BEDS = [20, 1, 18, 4, 13, 6, 10, 15, 2, 17, 3, 19, 7, 16, 8, 11, 14, 9, 12, 5]
/** The inner and outer radius of the rings, in mm. */
const RINGS = { S: [107, 162], D: [162, 170], T: [99, 107] } as const

export function makeFamily(): Family {
  return {
    ground: () => import('../grounds/darts.svg?raw'),
    labels: (c) => BEDS.map((bed) => label(c, bed)),
    scene: sceneOf,
  }
}

function sceneOf(input: Input): Scene {
  const { tracked, names, texts, extras } = input
  const { match, seen } = tracked
  const sent = sentVisits(extras)
  const isOn = isPlayed(tracked)
  const thrower: Side | null =
    isOn && (match.playerServing === 1 || match.playerServing === 2) ? match.playerServing : null
  const left = leftOf(match.game)
  const visits = sent.length > 0 ? sent : visitsOf(seen)
  const all = isWhole(sent, match) ? sent : []
  return {
    call: thrower && { side: thrower, text: texts.t('trackerThrowsName', { name: of(shortNames(names), thrower) }) },
    recent: [...visits]
      .reverse()
      .slice(0, 8)
      .map(({ side, points }) => ({
        side,
        text: String(points),
        ...(points === 180 ? { tone: 'max' as const } : points >= 100 ? { tone: 'ton' as const } : {}),
      })),
    marks: left && isOn ? marksOf(texts, left, thrower, averagesOf(all)) : null,
    lamp: null,
    flow: left && isBegun(tracked) ? flowOf(input, left, sent) : null,
    statistics: all.length > 0 ? statisticsOf(texts, all) : [],
    table: tableOf(input, sent),
  }
}

function spot(c: Canvas, radius: number, degrees: number): Spot {
  const angle = (degrees * Math.PI) / 180
  return c.at(radius * Math.cos(angle), radius * Math.sin(angle))
}

function label(c: Canvas, bed: number, name = 'boardnumber'): SVGElement {
  const [x, y] = spot(c, 198, -90 + BEDS.indexOf(bed) * 18)
  return words([x, y + (c.isWide ? 4 : 3.2)], bed, name)
}

function bedShape(c: Canvas, { ring, number }: Dart): SVGElement {
  const index = BEDS.indexOf(number)
  const [x, y] = c.at(0, 0)
  if (index < 0) {
    const r = short((ring === 'D' ? 6.35 : 15.9) * c.scale + 1.5)
    return svg('circle', { class: 'route', cx: short(x), cy: short(y), r })
  }
  const [inner, outer] = RINGS[ring]
  const [from, to] = [-99 + index * 18, -81 + index * 18]
  const [small, large] = [short(inner * c.scale), short(outer * c.scale)]
  const start = `M${point(spot(c, outer, from))}A${large} ${large} 0 0 1 ${point(spot(c, outer, to))}`
  const end = `L${point(spot(c, inner, to))}A${small} ${small} 0 0 0 ${point(spot(c, inner, from))}z`
  return svg('path', { class: ring === 'S' ? 'route single' : 'route', d: start + end })
}

function marksOf({ t }: Texts, left: Pair, thrower: Side | null, averages: Pair<string | null>): Drawing<Canvas> {
  const way = thrower && wayOut(of(left, thrower))
  return {
    key: JSON.stringify([left, thrower, averages]),
    draw: (c) => {
      const average = (side: Side) => {
        const points = of(averages, side)
        return points === null ? '' : t('trackerAverageOf', { points })
      }
      const lines = (side: Side): WingLine[] => {
        const below = [way && side === thrower ? way.map(dartText).join(' ') : '', average(side)]
        // Both sides have as many lines, so that their points are level.
        const [first = '', second = ''] = below.filter(Boolean)
        return [
          [t('trackerLeft'), 'small'],
          [String(of(left, side)), 'big'],
          [first, 'small'],
          [second, 'small'],
        ]
      }
      const route = way
        ? svg(
            'g',
            { class: nameOf(thrower) },
            svg('title', {}, t('trackerWayOut')),
            ...way.map((dart) => bedShape(c, dart)),
            ...way.filter(({ number }) => number <= 20).map(({ number }) => label(c, number, 'boardnumber on')),
          )
        : null
      return [...(route ? [route] : []), ...wing(c, 1, lines(1)), ...wing(c, 2, lines(2))]
    },
  }
}

/** The most points left that three darts can finish. */
const FINISH = 170

function flowOf({ tracked, texts, names }: Input, now: Pair, sent: readonly Visit[]): Flow {
  const leg = sent.length > 0 ? sentLeg(sent, now) : legOf(tracked.seen, now)
  const start = Math.max(...leg.flat(), 501)
  const isWhole = leg[0][0] === leg[1][0] && leg[0][0] === start
  return {
    caption: texts.t('trackerLeftInLeg'),
    summary: `${names[0]} ${now[0]}, ${names[1]} ${now[1]}.`,
    key: JSON.stringify(leg),
    draw: (width) => legChart(width, leg, start, isWhole),
  }
}

function legChart(width: Width, leg: Pair<number[]>, start: number, isWhole: boolean): SVGElement[] {
  const [left, right, top, bottom] = [margin(width) + 28, width - margin(width) - 30, 9, CHART_HEIGHT - 15]
  const visits = Math.max(8, ...leg.map((values) => values.length))
  const x = (visit: number) => left + (visit / visits) * (right - left)
  const y = (points: number) => bottom - (points / start) * (bottom - top)
  // The label of the side with more points left is above that of the other one.
  const higher = (leg[0].at(-1) ?? 0) > (leg[1].at(-1) ?? 0) ? 1 : 2
  const line = (side: Side) => {
    const spots = of(leg, side).map((points, visit): Spot => [x(visit), y(points)])
    const [endX, endY] = spots.at(-1) ?? [left, top]
    return [
      svg('path', { class: `worm ${nameOf(side)}-line`, d: `M${spots.map(point).join('L')}` }),
      ...spots.slice(isWhole ? 1 : 0).map(([a, b]) => mark(side, a, b)),
      words([endX + 8, endY + (side === higher ? -2 : 8)], of(leg, side).at(-1) ?? '', `now ${nameOf(side)}`, 'start'),
    ]
  }
  const finish = svg('rect', {
    class: 'finish',
    x: left,
    y: short(y(FINISH)),
    width: short(right - left),
    height: short(bottom - y(FINISH)),
  })
  return [
    finish,
    tick(margin(width), FINISH, 'start', y(FINISH) + 4),
    tick(margin(width), start, 'start', y(start) + 4),
    svg('path', { class: 'axis', d: `M${left} ${bottom}H${short(right)}` }),
    // Visits have numbers only if the leg was seen from its beginning.
    ...(isWhole ? Array.from({ length: visits }, (_, visit) => tick(x(visit + 1), visit + 1, 'middle', 81)) : []),
    ...line(1),
    ...line(2),
  ]
}

/** The points of a visit on average. */
function averagesOf(visits: readonly Visit[]): Pair<string | null> {
  const average = (side: Side) => {
    const own = visits.filter((visit) => visit.side === side)
    return own.length > 0 ? (own.reduce((sum, { points }) => sum + points, 0) / own.length).toFixed(1) : null
  }
  return [average(1), average(2)]
}

function statisticsOf({ t }: Texts, visits: readonly Visit[]): Bar[] {
  const averages = averagesOf(visits)
  const pairOf = (value: (own: readonly Visit[]) => number): Pair => {
    const [home, away] = ([1, 2] as const).map((side) => value(visits.filter((visit) => visit.side === side)))
    return [home ?? 0, away ?? 0]
  }
  const count = (least: number) => pairOf((own) => own.filter(({ points }) => points >= least).length)
  return [
    bar(t('trackerAverage'), [Number(averages[0]), Number(averages[1])], [averages[0] ?? '–', averages[1] ?? '–']),
    bar('180', count(180)),
    bar('100+', count(100)),
    bar(
      t('trackerHighestCheckout'),
      pairOf((own) => Math.max(0, ...own.filter(({ left }) => left === 0).map(({ points }) => points))),
    ),
  ]
}

/** A dot for each leg that was won. A match of sets has the legs of each set instead, as numbers. */
function tableOf({ tracked: { match }, texts }: Input, sent: readonly Visit[]): Column[] | null {
  const { score } = match
  const legs = score && match.scores.length === 0 ? legsOf(sent, score) : null
  if (!score || !legs) {
    return null
  }
  const column = (winner: Side | null, at: number): Column => ({
    head: String(at + 1),
    name: texts.status(`leg_${at + 1}`),
    cells: [winner === 1 ? '1' : '', winner === 2 ? '1' : ''],
    classes: [winner === 1 ? 'dot home' : '', winner === 2 ? 'dot away' : ''],
    isDot: true,
  })
  return [
    ...(match.status === 'ended' ? legs : [...legs, null]).map(column),
    { head: texts.t('scoreLegs'), cells: [String(score[0]), String(score[1])], classes: ['sum', 'sum'] },
  ]
}
