/** Snooker: the break on the cloth, the balls that are left, the points of the frame, and the breaks. */
import type { Pair, Side } from '../../domain/offer'
import { asSide, type Extras, records } from '../../protocol/extras'
import type { Width } from '../address'
import { LANE_HEIGHT, LANES, lanes, tick } from '../charts'
import { svg } from '../dom'
import type { Family, Flow, Input, Scene } from '../family'
import { isBegun, isPlayed } from '../family'
import type { Seen } from '../sample'
import { of } from '../seen'
import { CHART_HEIGHT, nameOf, shortNames } from '../sides'
import { type Canvas, short, words } from '../stage'
import { type Bar, bar } from '../statistics'

/** The room for the balls below the table, in px. */
const FOOT = 22

/** The most points of a frame without fouls. */
const MOST = 147

export function makeFamily(): Family {
  return { ground: () => import('../grounds/snooker.svg?raw'), foot: FOOT, scene: sceneOf }
}

function sceneOf(input: Input): Scene {
  const { tracked, names, texts, extras } = input
  const { match, seen } = tracked
  const isOn = isPlayed(tracked)
  const player = isOn && (match.playerServing === 1 || match.playerServing === 2) && match.playerServing
  const points = frameOf(match.game)
  const table = isOn ? tableOf(extras) : null
  const made = table?.balls.reduce((sum, ball) => sum + ball, 0) ?? 0
  const breaks: readonly Break[] = extras.breaks?.length ? sentBreaks(extras) : breaksOf(seen)
  return {
    call:
      table?.player && made > 0
        ? { side: table.player, text: texts.t('trackerBreak', { points: made }), name: of(names, table.player) }
        : player
          ? { side: player, text: texts.t('trackerAtTableName', { name: of(shortNames(names), player) }) }
          : null,
    recent: [...breaks]
      .reverse()
      .slice(0, 4)
      .map(({ side, points: value }) => ({ side, text: texts.t('trackerBreak', { points: value }) })),
    marks: table && { key: JSON.stringify(table), draw: (c) => marksOf(c, table, made) },
    lamp: null,
    flow: points && isBegun(tracked) ? flowOf(input, points) : null,
    statistics: statisticsOf(input, table?.player && made > 0 ? { side: table.player, points: made } : null),
  }
}

interface Table {
  /** The points that the balls on the table are still worth. */
  readonly worth: number
  readonly reds: number
  readonly player: Side | 0
  /** The values of the balls potted in this break. */
  readonly balls: readonly number[]
}

const REDS = 15

function tableOf({ table }: Extras): Table | null {
  const [worth, reds, player, ...balls] = table ?? []
  const isPlausible = worth !== undefined && worth >= 0 && reds !== undefined && reds >= 0 && reds <= REDS
  return isPlausible
    ? { worth, reds, player: asSide(player), balls: balls.filter((ball) => ball >= 1 && ball <= 7) }
    : null
}

/** The breaks that the server sends, the newest last. */
function sentBreaks({ breaks }: Extras): Break[] {
  return records(breaks, 3).flatMap(([, number, points = 0]) => {
    const side = asSide(number)
    return side === 0 ? [] : [{ side, points }]
  })
}

const COLOURS = [2, 3, 4, 5, 6, 7]
/** The balls of one row on the cloth. */
const ROW = 12

/** The break on the cloth with its balls, and below the table the balls that are left. */
function marksOf(c: Canvas, table: Table, made: number): SVGElement[] {
  const [x, y] = c.at(1784.5, 889)
  const [gap, r] = c.isWide ? [15, 5.5] : [11, 4]
  const rows = Math.ceil(table.balls.length / ROW)
  const potted = table.balls.map((ball, index) => {
    const row = Math.floor(index / ROW)
    const inRow = Math.min(ROW, table.balls.length - row * ROW)
    const left = x - ((inRow - 1) * gap) / 2
    return ballOf(`ball${ball}`, left + (index % ROW) * gap, y + 18 + (row - (rows - 1) / 2) * (2 * r + 3), r)
  })
  const value = made > 0 ? [words([x, y - 2 - (rows - 1) * r], made, 'onbreak')] : []
  return [...value, svg('g', { class: 'tray' }, ...potted), tray(c, table)]
}

function tray(c: Canvas, { reds, worth }: Table): SVGElement {
  const [gap, r] = c.isWide ? [13, 5] : [10.4, 4]
  const left = (c.width - gap * (REDS + COLOURS.length - 1) - 12) / 2
  const y = c.height - 15
  // With reds on the table all colours are; without, they go from the lowest value on.
  const isLeft = (ball: number) =>
    reds > 0 || COLOURS.filter((value) => value >= ball).reduce((a, b) => a + b, 0) <= worth
  return svg(
    'g',
    { class: 'tray' },
    ...Array.from({ length: REDS }, (_, at) => ballOf(at < reds ? 'ball1' : 'gone', left + at * gap, y, r)),
    ...COLOURS.map((ball, at) => ballOf(isLeft(ball) ? `ball${ball}` : 'gone', left + (REDS + at) * gap + 12, y, r)),
  )
}

function ballOf(name: string, x: number, y: number, r: number): SVGElement {
  return svg('circle', { class: name, cx: short(x), cy: short(y), r })
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

function flowOf({ texts, names, extras, tracked }: Input, points: Pair): Flow {
  const onTable = isPlayed(tracked) ? tableOf(extras)?.worth : undefined
  return {
    caption: onTable === undefined ? texts.t('trackerFrame') : texts.t('trackerFrameTable', { points: onTable }),
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

/** The most breaks that the server sends. */
const BREAKS_MAX = 40

function statisticsOf({ tracked, texts, extras }: Input, now: Break | null): Bar[] {
  const { scores } = tracked.match
  const { t } = texts
  const sum = scores.reduce<Pair>(([home, away], [up, down]) => [home + up, away + down], [0, 0])
  const most = (side: 0 | 1) => Math.max(0, ...scores.map((pair) => pair[side]))
  const breaks = sentBreaks(extras)
  const points: Bar[] = sum[0] + sum[1] > 0 ? [bar(t('trackerMatchPoints'), sum)] : []
  if (breaks.length === 0 || breaks.length >= BREAKS_MAX) {
    return points.length > 0 ? [...points, bar(t('trackerBestFrame'), [most(0), most(1)])] : []
  }
  const all = now ? [...breaks, now] : breaks
  const highest = (side: Side) => Math.max(0, ...all.filter((one) => one.side === side).map((one) => one.points))
  const count = (side: Side, least: number) => all.filter((one) => one.side === side && one.points >= least).length
  return [
    bar(t('trackerHighestBreak'), [highest(1), highest(2)]),
    bar(t('trackerBreaksOf', { points: 50 }), [count(1, 50), count(2, 50)]),
    bar(t('trackerBreaksOf', { points: 100 }), [count(1, 100), count(2, 100)]),
    ...points,
  ]
}
