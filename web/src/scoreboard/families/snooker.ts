/** Snooker: the points of the frame, and the breaks that this page has seen from their beginning. */
import type { Pair, Side } from '../../domain/offer'
import type { Width } from '../address'
import { LANE_HEIGHT, LANES, lanes, tick } from '../charts'
import { svg } from '../dom'
import type { Family, Flow, Input, Scene } from '../family'
import { isBegun, isPlayed } from '../family'
import type { Seen } from '../sample'
import { of } from '../seen'
import { CHART_HEIGHT, nameOf } from '../sides'
import { short } from '../stage'
import { type Bar, bar } from '../statistics'

/** The most points of a frame without fouls. */
const MOST = 147

export function makeFamily(): Family {
  return { ground: () => import('../grounds/snooker.svg?raw'), scene: sceneOf }
}

function sceneOf(input: Input): Scene {
  const { tracked, names, texts } = input
  const { match, seen } = tracked
  const player = isPlayed(tracked) && (match.playerServing === 1 || match.playerServing === 2) && match.playerServing
  const points = frameOf(match.game)
  return {
    call: player ? { side: player, text: texts.t('trackerAtTableName', { name: of(names, player) }) } : null,
    recent: breaksOf(seen)
      .reverse()
      .slice(0, 4)
      .map(({ side, points: made }) => ({ side, text: texts.t('trackerBreak', { points: made }) })),
    marks: null,
    lamp: null,
    flow: points && isBegun(tracked) ? flowOf(input, points) : null,
    statistics: statisticsOf(input),
  }
}

function frameOf(game: Pair<string> | null): Pair | null {
  const points = game?.map((text) => (/^\d{1,3}$/.test(text) ? Number(text) : Number.NaN)) ?? []
  const [home = Number.NaN, away = Number.NaN] = points
  return Number.isNaN(home + away) ? null : [home, away]
}

export interface Break {
  readonly side: Side
  readonly points: number
}

/** The finished breaks that were seen whole. Points of the other player are fouls, so they do not count. */
export function breaksOf(seen: Seen): Break[] {
  const breaks: Break[] = []
  let made = 0
  let isWhole = false
  seen.forEach((sample, index) => {
    const last = seen[index - 1]
    const at = (last?.scores.length ?? 0) - 1
    const [before, after] = [last?.scores[at], sample.scores[at]]
    const isOver = last !== undefined && (sample.server !== last.server || sample.scores.length !== last.scores.length)
    if (last?.server && before && after) {
      made += Math.max(0, of(after, last.server) - of(before, last.server))
    }
    if (isOver) {
      if (isWhole && last.server && made > 0) {
        breaks.push({ side: last.server, points: made })
      }
      made = 0
      isWhole = true
    }
  })
  return breaks
}

function flowOf({ texts, names, extras }: Input, points: Pair): Flow {
  const { onTable } = extras
  return {
    caption: texts.t('trackerFrame'),
    summary: `${names[0]} ${points[0]}, ${names[1]} ${points[1]}.`,
    key: JSON.stringify([points, onTable]),
    draw: (width) => frameChart(width, points, onTable ?? 0),
  }
}

function frameChart(width: Width, points: Pair, onTable: number): SVGElement[] {
  const { left, right, nodes } = lanes(width, points)
  const most = Math.max(MOST, points[0] + onTable, points[1] + onTable)
  const x = (value: number) => left + (value / most) * (right - left)
  const lane = (side: Side) => {
    const y = LANES[side === 1 ? 0 : 1]
    const own = of(points, side)
    const part = (from: number, to: number, name: string) =>
      svg('rect', { class: name, x: short(x(from)), y, width: short(x(to) - x(from)), height: LANE_HEIGHT, rx: 3 })
    const reach = onTable > 0 ? [part(own, own + onTable, `reach ${nameOf(side)}-fill`)] : []
    return [...reach, part(0, own, `${nameOf(side)}-fill`)]
  }
  const lead = Math.max(...points)
  return [
    ...nodes,
    ...lane(1),
    ...lane(2),
    ...(lead > 0 ? [svg('path', { class: 'mark', d: `M${short(x(lead))} 8V64` })] : []),
    ...[0, 50, 100, MOST].map((value) =>
      tick(x(value), value, value === 0 ? 'start' : value === most ? 'end' : 'middle', CHART_HEIGHT - 6),
    ),
  ]
}

function statisticsOf({ tracked, texts }: Input): Bar[] {
  const { scores } = tracked.match
  const sum = scores.reduce<Pair>(([home, away], [up, down]) => [home + up, away + down], [0, 0])
  const most = (side: 0 | 1) => Math.max(0, ...scores.map((pair) => pair[side]))
  return sum[0] + sum[1] > 0
    ? [bar(texts.t('trackerMatchPoints'), sum), bar(texts.t('trackerBestFrame'), [most(0), most(1)])]
    : []
}
