/** Darts: what is left with the usual way out, the visits, and the points left after each of them. */
import type { Pair, Side } from '../../domain/offer'
import type { Width } from '../address'
import { margin, mark, tick } from '../charts'
import { svg } from '../dom'
import type { Drawing, Family, Flow, Input, Scene } from '../family'
import { isBegun, isPlayed } from '../family'
import type { Seen } from '../sample'
import { of } from '../seen'
import { CHART_HEIGHT, nameOf } from '../sides'
import { type Canvas, point, type Spot, short, type WingLine, wing, words } from '../stage'
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
  const { tracked, names, texts } = input
  const { match, seen } = tracked
  const isOn = isPlayed(tracked)
  const thrower: Side | null =
    isOn && (match.playerServing === 1 || match.playerServing === 2) ? match.playerServing : null
  const left = leftOf(match.game)
  const visits = visitsOf(seen)
  return {
    call: thrower && { side: thrower, text: texts.t('trackerThrowsName', { name: of(names, thrower) }) },
    recent: [...visits]
      .reverse()
      .slice(0, 8)
      .map(({ side, points }) => ({
        side,
        text: String(points),
        ...(points === 180 ? { tone: 'max' as const } : points >= 100 ? { tone: 'ton' as const } : {}),
      })),
    marks: left && isOn ? marksOf(left, thrower, texts.t('trackerLeft'), texts.t('trackerWayOut')) : null,
    lamp: null,
    flow: left && isBegun(tracked) ? flowOf(input, left) : null,
    statistics: [],
  }
}

function leftOf(game: Pair<string> | null): Pair | null {
  return game?.every((text) => /^\d{1,4}$/.test(text)) ? [Number(game[0]), Number(game[1])] : null
}

export interface Visit {
  readonly side: Side
  readonly points: number
  /** The points left after it; 0 ends the leg. */
  readonly left: number
}

/** The visits that were seen. One that leaves the points unchanged counts only if the other player throws next. */
export function visitsOf(seen: Seen): Visit[] {
  const visits: Visit[] = []
  seen.forEach((sample, index) => {
    const last = seen[index - 1]
    const [before, after] = [leftOf(last?.game ?? null), leftOf(sample.game)]
    if (!last || !before || !after) {
      return
    }
    const won = legWinner(last.score, sample.score) ?? legWinner(last.scores.at(-1), sample.scores.at(-1))
    const isNewLeg = after[0] > before[0] || after[1] > before[1]
    if (isNewLeg) {
      if (won && of(before, won) <= 170) {
        visits.push({ side: won, points: of(before, won), left: 0 })
      }
      return
    }
    const thrown: Pair = [before[0] - after[0], before[1] - after[1]]
    if (thrown[0] > 0 !== thrown[1] > 0) {
      const side = thrown[0] > 0 ? 1 : 2
      visits.push({ side, points: of(thrown, side), left: of(after, side) })
    } else if (thrown[0] + thrown[1] === 0 && last.server && sample.server && last.server !== sample.server) {
      visits.push({ side: last.server, points: 0, left: of(after, last.server) })
    }
  })
  return visits
}

function legWinner(before: Pair | null | undefined, after: Pair | null | undefined): Side | null {
  if (!before || !after || after[0] - before[0] + after[1] - before[1] !== 1) {
    return null
  }
  return after[0] > before[0] ? 1 : 2
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

function marksOf(left: Pair, thrower: Side | null, name: string, title: string): Drawing<Canvas> {
  const way = thrower && wayOut(of(left, thrower))
  return {
    key: JSON.stringify([left, thrower]),
    draw: (c) => {
      const lines = (side: Side): WingLine[] => [
        [name, 'small'],
        [String(of(left, side)), 'big'],
        [way && side === thrower ? way.map(dartText).join(' ') : '', 'small'],
      ]
      const route = way
        ? svg(
            'g',
            { class: nameOf(thrower) },
            svg('title', {}, title),
            ...way.map((dart) => bedShape(c, dart)),
            ...way.filter(({ number }) => number <= 20).map(({ number }) => label(c, number, 'boardnumber on')),
          )
        : null
      return [...(route ? [route] : []), ...wing(c, 1, lines(1)), ...wing(c, 2, lines(2))]
    },
  }
}

/** The points left of each side after each visit of this leg, from the first that was seen. */
export function legOf(seen: Seen, now: Pair): Pair<number[]> {
  let leg: [number[], number[]] = [[], []]
  let last: Pair | null = null
  seen.forEach((sample, index) => {
    const next = leftOf(sample.game)
    if (!next) {
      return
    }
    if (!last || next[0] > last[0] || next[1] > last[1]) {
      leg = [[next[0]], [next[1]]]
    } else {
      const before = seen[index - 1]
      const isMiss = String(next) === String(last) && before?.server && sample.server !== before.server
      for (const side of [0, 1] as const) {
        if (next[side] !== last[side] || (isMiss && before?.server === side + 1)) {
          leg[side].push(next[side])
        }
      }
    }
    last = next
  })
  return last ? leg : [[now[0]], [now[1]]]
}

/** The most points left that three darts can finish. */
const FINISH = 170

function flowOf({ tracked, texts, names }: Input, now: Pair): Flow {
  const leg = legOf(tracked.seen, now)
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
