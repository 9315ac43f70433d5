/** MMA: round and clock in the octagon; if the control is known, its shares, and the control by ten seconds. */
import type { Pair, Side } from '../../domain/offer'
import { asSide } from '../../protocol/extras'
import { momentum } from '../charts'
import { svg } from '../dom'
import type { Drawing, Family, Flow, Input, Scene } from '../family'
import { isPlayed } from '../family'
import { of } from '../seen'
import { nameOf, shortNames } from '../sides'
import { type Canvas, point, type Spot, short, type WingLine, wing, words } from '../stage'
import { BARS_MAX, type Bar, bar } from '../statistics'
import type { Column } from '../table'

/** Ten seconds are one bar; a round has five minutes. */
const BARS = 30
const HEAD = 'round_'

export function makeFamily(): Family {
  return { ground: () => import('../grounds/mma.svg?raw'), scene: sceneOf }
}

function sceneOf(input: Input): Scene {
  const { tracked, texts, names, clock, extras } = input
  const status = tracked.match.status ?? ''
  const round = status.startsWith(HEAD) ? Number(status.slice(HEAD.length)) || 0 : 0
  const isOn = isPlayed(tracked)
  const control = extras.control?.length ? extras.control.map(asSide) : undefined
  // Between two rounds the feed still has the control of the last ten seconds.
  const now = isOn && round > 0 ? (control?.at(-1) ?? 0) : 0
  const held = control && heldOf(control)
  const said = isOn ? texts.status(status) : null
  return {
    call: now
      ? { side: now, text: texts.t('trackerControlOf', { name: of(shortNames(names), now) }) }
      : said && round > 0
        ? { side: 0, text: said }
        : null,
    recent: Array.from({ length: Math.max(0, round - 1) }, (_, index) => ({
      side: 0 as const,
      text: `${texts.status(HEAD + (index + 1))} ${clockOf(BARS * 10)}`,
    })).reverse(),
    marks: said && clock !== null ? marksOf(input, said, clock, { now, held }) : null,
    lamp: null,
    flow: control ? flowOf(input, control) : null,
    statistics: control && held ? statisticsOf(input, control, held) : [],
    table: control ? tableOf(input, control, isOn ? round : 0) : null,
  }
}

function heldOf(control: readonly (Side | 0)[]): Pair {
  const seconds = (side: Side) => control.filter((value) => value === side).length * 10
  return [seconds(1), seconds(2)]
}

interface Control {
  readonly now: Side | 0
  readonly held: Pair | undefined
}

function marksOf({ texts, names }: Input, round: string, clock: string, { now, held }: Control): Drawing<Canvas> {
  return {
    key: JSON.stringify([round, clock, now, held]),
    draw: (c) => {
      const [x, y] = c.at(0, 0)
      const shorts = shortNames(names)
      const lines = (side: Side, seconds: number): WingLine[] => [
        [texts.t('trackerControl'), 'small'],
        [clockOf(seconds), 'big'],
        [of(shorts, side), 'small'],
      ]
      return [
        ...(held && held[0] + held[1] > 0 ? ring(c, now, held[0] / (held[0] + held[1])) : []),
        words([x, y - (c.isWide ? 11 : 8)], round, 'onsmall'),
        words([x, y + (c.isWide ? 17 : 14)], clock, 'ontime'),
        ...(held ? [...wing(c, 1, lines(1, held[0])), ...wing(c, 2, lines(2, held[1]))] : []),
      ]
    },
  }
}

/** The shares of control as a ring: home from the top to the left, away to the right. */
function ring(c: Canvas, now: Side | 0, share: number): SVGElement[] {
  const [x, y] = c.at(0, 0)
  const r = 300 * c.scale
  const [top, gap] = [-Math.PI / 2, 0.06]
  const end = top - share * 2 * Math.PI
  const at = (angle: number): Spot => [x + r * Math.cos(angle), y + r * Math.sin(angle)]
  const arc = (from: number, to: number, sweep: 0 | 1, side: Side) =>
    svg('path', {
      class: `${nameOf(side)}-line`,
      'stroke-width': 7,
      d: `M${point(at(from))}A${short(r)} ${short(r)} 0 ${Math.abs(to - from) > Math.PI ? 1 : 0} ${sweep} ${point(at(to))}`,
    })
  return [
    svg('circle', { class: `${nameOf(now)}-fill`, 'fill-opacity': 0.16, cx: short(x), cy: short(y), r: short(r) }),
    ...(share > 0.02 ? [arc(top - gap, end + gap, 0, 1)] : []),
    ...(share < 0.98 ? [arc(top + gap, end + 2 * Math.PI - gap, 1, 2)] : []),
  ]
}

function flowOf({ texts, names }: Input, control: readonly (Side | 0)[]): Flow {
  const held = heldOf(control).map(clockOf)
  const values = control.slice(-240).map((side) => (side === 1 ? 16 : side === 2 ? -16 : 0))
  const rounds = roundsOf(Math.ceil(values.length / BARS))
  return {
    caption: texts.t('trackerControlByTen'),
    summary: `${names[0]} ${held[0]}, ${names[1]} ${held[1]}.`,
    key: JSON.stringify(values),
    draw: (width) => {
      const name = (index: number) => texts.t('trackerRoundShort', { round: index + 1 })
      const parts = Array.from({ length: rounds }, (_, index) => [index * BARS, name(index)] as const)
      return momentum(width, values, rounds * BARS, parts, { newest: 1 }).nodes
    },
  }
}

/** The rounds of a fight in which so many have begun: three, or five. */
function roundsOf(begun: number): number {
  return begun > 3 ? 5 : 3
}

/** The control of all rounds, of the newest rounds, and the longest. */
function statisticsOf({ texts }: Input, control: readonly (Side | 0)[], held: Pair): Bar[] {
  const { t } = texts
  const times = (label: string, pair: Pair) => bar(label, pair, [clockOf(pair[0]), clockOf(pair[1])])
  const rounds = Array.from({ length: Math.ceil(control.length / BARS) }, (_, at) =>
    times(
      t('trackerControlIn', { part: t('trackerRoundShort', { round: at + 1 }) }),
      heldOf(control.slice(at * BARS, (at + 1) * BARS)),
    ),
  )
  return [
    times(t('trackerControl'), held),
    ...(rounds.length > 1 ? rounds.slice(2 - BARS_MAX) : []),
    times(t('trackerLongestControl'), longestOf(control)),
  ]
}

/** The control of each round and of all; null if the rounds of the facts are not those of the match. */
function tableOf({ texts, tracked }: Input, control: readonly (Side | 0)[], round: number): Column[] | null {
  const { t } = texts
  const isOver = tracked.match.status === 'ended'
  const known = Math.ceil(control.length / BARS)
  if (round > 0 && known !== round && known !== round - 1) {
    return null
  }
  const times = (part: readonly (Side | 0)[]): Pair<string> => {
    const [home, away] = heldOf(part)
    return [clockOf(home), clockOf(away)]
  }
  const begun = Math.max(known, round)
  const rounds = Array.from({ length: isOver ? begun : roundsOf(begun) }, (_, at): Column => {
    const name = at + 1 === round ? 'now' : ''
    return {
      head: String(at + 1),
      name: t('trackerControlIn', { part: texts.status(HEAD + (at + 1)) }),
      // The first ten seconds of a round are not counted yet.
      cells: at < known ? times(control.slice(at * BARS, (at + 1) * BARS)) : ['', ''],
      classes: [name, name],
    }
  })
  return [
    ...rounds,
    { head: t('trackerTotal'), name: t('trackerControl'), cells: times(control), classes: ['sum', 'sum'] },
  ]
}

function longestOf(control: readonly (Side | 0)[]): Pair {
  const best: [number, number] = [0, 0]
  let run = 0
  control.forEach((side, index) => {
    run = side === control[index - 1] && index % BARS > 0 ? run + 10 : 10
    if (side !== 0) {
      best[side - 1] = Math.max(best[side - 1] ?? 0, run)
    }
  })
  return best
}

function clockOf(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
