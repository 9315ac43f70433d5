/**
 * Sports that are counted in rallies: the server on the court, and the set as on a score sheet, a column for each point
 * in the lane of its winner.
 */
import type { Pair, Side } from '../../domain/offer'
import { SET_RULES, type SetRule, targetOf } from '../../domain/points'
import type { Width } from '../address'
import { boardKind, partStatus } from '../boards'
import { bar as column, cut, LANE_HEIGHT, LANES, lanes, tick } from '../charts'
import type { Chip, Drawing, Family, Flow, Input, Scene } from '../family'
import { isPlayed } from '../family'
import { of, runs, type Sheet, sheetOf } from '../seen'
import { CHART_HEIGHT } from '../sides'
import { type Canvas, type Spot, service, zone } from '../stage'
import { type Bar, bar } from '../statistics'
import type { Texts } from '../texts'
import { firstServer, other, readRally, type ServeRule, servedOf, serversOf, setPointsOf, setsOf } from './rallies'
import { servesText } from './serving'

interface Rules extends SetRule {
  readonly ground: Family['ground']
  /** The server of each point. */
  readonly serves: ServeRule
  /** The stand of the home server, the end of the arrow, and the length of the ground. */
  readonly stand?: { readonly from: Spot; readonly to: Spot; readonly length: number }
}

const BADMINTON = 31
const SQUASH = 37

const RULES: Readonly<Record<number, Rules>> = {
  20: {
    ground: () => import('../grounds/table-tennis.svg?raw'),
    ...SET_RULES[20],
    serves: 'twoEach',
    stand: { from: [-250, 762.5], to: [440, 762.5], length: 2740 },
  },
  23: {
    ground: () => import('../grounds/volleyball.svg?raw'),
    ...SET_RULES[23],
    serves: 'winner',
    stand: { from: [-130, 450], to: [330, 450], length: 1800 },
  },
  [BADMINTON]: { ground: () => import('../grounds/badminton.svg?raw'), ...SET_RULES[BADMINTON], serves: 'winner' },
  34: {
    ground: () => import('../grounds/beach-volleyball.svg?raw'),
    ...SET_RULES[34],
    serves: 'winner',
    stand: { from: [-130, 400], to: [330, 400], length: 1600 },
  },
  [SQUASH]: { ground: () => import('../grounds/squash.svg?raw'), ...SET_RULES[SQUASH], serves: 'winner' },
}

export function makeFamily(sportId: number): Family {
  const rules = RULES[sportId] ?? (RULES[20] as Rules)
  return { ground: rules.ground, scene: (input) => sceneOf(input, rules) }
}

function sceneOf(input: Input, rules: Rules): Scene {
  const { tracked, names, texts } = input
  const { match } = tracked
  const server = isPlayed(tracked) && (match.playerServing === 1 || match.playerServing === 2) && match.playerServing
  const index = match.scores.length - 1
  const points = match.scores[index]
  const sheets = sheetsOf(input)
  const sheet = sheets[index]
  const isRight = server && match.sportId === BADMINTON && points ? of(points, server) % 2 === 0 : null
  const isDoubles = names.some((name) => name.includes('/'))
  const hasPoints = sheets.some((set) => set.points.length > 0)
  const hasServiceMark = match.sportId !== BADMINTON || isRight !== null
  return {
    call: server
      ? isRight === null
        ? { side: server, text: servesText(texts, names, server) }
        : { side: server, text: texts.t(isRight ? 'trackerServesRight' : 'trackerServesLeft'), name: of(names, server) }
      : null,
    recent: points && sheet ? chips(sheet, points) : [],
    marks: server && hasServiceMark ? marksOf(match.sportId, server, isRight === true, isDoubles, rules) : null,
    lamp: null,
    flow: points && sheet && hasPoints ? flowOf(input, index, points, sheet, rules) : null,
    statistics: statisticsOf(input, sheets, rules),
  }
}

/** The sheets of all sets: those of the server, otherwise what this page has seen. */
function sheetsOf({ tracked, extras }: Input): Sheet[] {
  const { scores } = tracked.match
  return setsOf(extras.rallies, scores, readRally).map((set, index) =>
    set
      ? { missed: set.missed, points: set.won.map(({ winner }) => ({ winner, server: null })) }
      : sheetOf(tracked.seen, index),
  )
}

/** The score after each of the last points, the newest first. */
function chips({ points }: Sheet, [home, away]: Pair): Chip[] {
  let [up, down] = [home, away]
  return [...points]
    .reverse()
    .slice(0, 6)
    .map(({ winner }) => {
      const text = `${up}:${down}`
      up -= winner === 1 ? 1 : 0
      down -= winner === 2 ? 1 : 0
      return { text, side: winner }
    })
}

/** Badminton: the court of the server and the one across, as [x, y, width, height]. Exported for its test. */
export function badmintonCourts(
  server: Side,
  isRight: boolean,
  isDoubles: boolean,
): readonly [own: readonly [number, number, number, number], across: readonly [number, number, number, number]] {
  const [edge, depth] = isDoubles ? [0, 396] : [46, 472]
  const height = 305 - edge
  // Facing the net, the right court of the home side is below the middle line, that of the away side above it.
  const isLower = (server === 1) === isRight
  const court = (isHome: boolean, lower: boolean) =>
    [isHome ? 472 - depth : 868, lower ? 305 : edge, depth, height] as const
  return [court(server === 1, isLower), court(server === 2, !isLower)]
}

function marksOf(
  sportId: number,
  server: Side,
  isRight: boolean,
  isDoubles: boolean,
  { stand }: Rules,
): Drawing<Canvas> {
  return {
    key: `${server} ${isRight}`,
    draw: (c) => {
      if (sportId === SQUASH) {
        return [zone(c, server, 'M549 0H709V160H549zM549 480H709V640H549z', 0.4)]
      }
      if (stand) {
        const turned = ([u, v]: Spot): Spot => (server === 1 ? [u, v] : [stand.length - u, v])
        return service(c, server, turned(stand.from), turned(stand.to))
      }
      const boxes = badmintonCourts(server, isRight, isDoubles)
      const isLower = (server === 1) === isRight
      const from: Spot = [server === 1 ? 400 : 940, isLower ? 400 : 210]
      const to: Spot = [server === 1 ? 1030 : 310, isLower ? 180 : 430]
      return service(c, server, from, to, { boxes, curve: -14 })
    },
  }
}

function flowOf({ tracked, texts, names }: Input, index: number, points: Pair, sheet: Sheet, rules: Rules): Flow {
  const status = partStatus(boardKind(tracked.match.sportId), index)
  const set = status ? texts.status(status) : String(index + 1)
  const target = targetOf(rules, index)
  return {
    caption: texts.t('trackerPointByPoint', { set }),
    summary: `${set}: ${names[0]} ${points[0]}, ${names[1]} ${points[1]}.`,
    key: JSON.stringify([index, points, sheet]),
    draw: (width) => sheetChart(width, points, sheet, target, texts),
  }
}

/** The columns of a set: those of a close set to `target`, and two more than were played if it goes on. */
export function columnsOf(target: number, played: number): number {
  return Math.max(2 * target - 1, played + 2)
}

function sheetChart(width: Width, points: Pair, sheet: Sheet, target: number, { t }: Texts): SVGElement[] {
  const { left, right, nodes } = lanes(width, points)
  const count = columnsOf(target, sheet.missed + sheet.points.length)
  const step = (right - left) / count
  const x = (index: number) => left + (sheet.missed + index) * step
  const newest = sheet.points.length - 3
  const cells = sheet.points.map(({ winner }, index) =>
    column(winner, [x(index), LANES[winner === 1 ? 0 : 1], step * 0.78, LANE_HEIGHT], index >= newest),
  )
  const tens = Array.from({ length: Math.ceil(count / 10) - 1 }, (_, ten) =>
    cut(left + (ten + 1) * 10 * step - step * 0.11, 8, 64),
  )
  const played = points[0] + points[1]
  return [
    ...nodes,
    ...tens,
    ...cells,
    tick(left, t('trackerSetTo', { target }), 'start', CHART_HEIGHT - 6),
    ...(played > 0 ? [tick(right, t('trackerPointNumber', { number: played }), 'end', CHART_HEIGHT - 6)] : []),
  ]
}

function statisticsOf({ tracked, texts }: Input, sets: readonly Sheet[], rules: Rules): Bar[] {
  const { scores, playerServing, status } = tracked.match
  const { t } = texts
  const sum = total(scores)
  if (sum[0] + sum[1] === 0) {
    return []
  }
  const bars = [bar(t('trackerPointsWon'), sum)]
  if (sets.some(({ missed }) => missed > 0)) {
    return bars
  }
  const next = status !== 'ended' && (playerServing === 1 || playerServing === 2) ? playerServing : null
  const last = sets.length - 1
  const firstNow = firstServer(sets[last]?.points ?? [], targetOf(rules, last), next)
  const counts = sets.map(({ points }, index) => {
    const target = targetOf(rules, index)
    // The first service alternates from set to set.
    const first = firstNow && ((last - index) % 2 === 0 ? firstNow : other(firstNow))
    const servers = serversOf(points, rules.serves, target, first)
    return {
      ...servedOf(points, servers),
      longest: runs(points.map(({ winner }) => winner)),
      setPoints: setPointsOf(points, target, rules.most),
    }
  })
  const longest = counts.map((count) => count.longest)
  const most = (side: 0 | 1) => Math.max(0, ...longest.map((pair) => pair[side]))
  // The first service of a set is not counted where no rule fixes it.
  const [served, kept] = [total(counts.map((count) => count.served)), total(counts.map((count) => count.kept))]
  const isServed = served[0] > 0 && served[1] > 0
  return [
    ...bars,
    ...(isServed ? [percents(texts, served, kept)] : []),
    bar(t('trackerLongestRun'), [most(0), most(1)]),
    bar(t('trackerSetPoints'), total(counts.map((count) => count.setPoints))),
  ]
}

function total(pairs: readonly Pair[]): Pair {
  return pairs.reduce<Pair>(([home, away], [up, down]) => [home + up, away + down], [0, 0])
}

function percents({ t, percent }: Texts, served: Pair, kept: Pair): Bar {
  const shares: Pair = [kept[0] / served[0], kept[1] / served[1]]
  return bar(t('trackerPointsOnServe'), shares, [percent(shares[0]), percent(shares[1])])
}
