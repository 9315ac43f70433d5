/** Sports that are played against a clock: the difference of the score over time, and a light for each new score. */
import { clockText } from '../../domain/clock'
import type { Pair, Side } from '../../domain/offer'
import type { Width } from '../address'
import { boardKind, partStatus } from '../boards'
import { axis, cut, margin, mark, tick } from '../charts'
import { svg } from '../dom'
import type { Chip, Drawing, Family, Flow, Input, Scene } from '../family'
import { isPlayed } from '../family'
import { isGoal } from '../history'
import type { Seen } from '../sample'
import { freshStep, of, runs, type ScoreStep, scoreSteps, sideOf } from '../seen'
import { CHART_HEIGHT, nameOf } from '../sides'
import { badge, type Canvas, glow, type Spot, scoredAt, short, words } from '../stage'
import { type Bar, bar } from '../statistics'
import type { Texts } from '../texts'
import type { Tracked } from '../tracked'

interface Rules {
  readonly ground: Family['ground']
  /** Minutes of a part, and the number of parts. */
  readonly part: number
  readonly parts: number
  readonly isGoals: boolean
  /** The smallest difference that fills half of the chart. */
  readonly least: number
  /** Whether scores are so rare that each is a point of the chart. */
  readonly hasPoints: boolean
  /** Where a score of the home side lights up, and the length of the ground. */
  readonly lamp: { readonly at: Spot; readonly length: number; readonly r: number | null; readonly badge: Spot | null }
  /** The highest number of points that one score can give. */
  readonly gainMax: number
}

const FUTSAL = 29

const GOALS = { isGoals: true, gainMax: 0 } as const
const POINTS = { isGoals: false } as const

const RULES: Readonly<Record<number, Rules>> = {
  2: {
    ...POINTS,
    ground: () => import('../grounds/basketball.svg?raw'),
    part: 10,
    parts: 4,
    least: 6,
    hasPoints: false,
    lamp: { at: [2642.5, 750], length: 2800, r: 12, badge: [2470, 330] },
    gainMax: 3,
  },
  4: {
    ...GOALS,
    ground: () => import('../grounds/ice-hockey.svg?raw'),
    part: 20,
    parts: 3,
    least: 2,
    hasPoints: true,
    lamp: { at: [5600, 1500], length: 6000, r: 13, badge: null },
  },
  6: {
    ...GOALS,
    ground: () => import('../grounds/handball.svg?raw'),
    part: 30,
    parts: 2,
    least: 3,
    hasPoints: false,
    lamp: { at: [4000, 1000], length: 4000, r: 15, badge: null },
  },
  12: {
    ...POINTS,
    ground: () => import('../grounds/rugby.svg?raw'),
    part: 40,
    parts: 2,
    least: 4,
    hasPoints: true,
    lamp: { at: [1050, 350], length: 1000, r: null, badge: [1050, 350] },
    gainMax: 7,
  },
  16: {
    ...POINTS,
    ground: () => import('../grounds/american-football.svg?raw'),
    part: 15,
    parts: 4,
    least: 4,
    hasPoints: true,
    lamp: { at: [1150, 266], length: 1200, r: null, badge: [1150, 266] },
    gainMax: 8,
  },
  29: {
    ...GOALS,
    ground: () => import('../grounds/futsal.svg?raw'),
    part: 20,
    parts: 2,
    least: 2,
    hasPoints: true,
    lamp: { at: [4000, 1000], length: 4000, r: 15, badge: null },
  },
}

/** The grounds on which the attacked end lights up. */
const ATTACKED: Readonly<Record<number, readonly [number, number, number, number]>> = {
  2: [0, 0, 2800, 1500],
  16: [0, 0, 1200, 533.3],
}

/** The scores in their order, and whether the first of them is known to be the first of the match. */
interface Course {
  readonly steps: readonly ScoreStep[]
  readonly isWhole: boolean
  /** Where the chart begins if the beginning of the match is missing. */
  readonly begin: { readonly at: number; readonly by: number } | null
}

/** The course of the score: that of the history, otherwise what this page has seen. */
function courseOf(tracked: Tracked, gainMax: number): Course {
  const { history, seen } = tracked
  let last: Pair = [0, 0]
  const ofHistory = history.incidents.flatMap(({ kind, side, score, seconds, status }): ScoreStep[] => {
    if (!isGoal(kind) || !score) {
      return []
    }
    const gain = of(score, side) - of(last, side)
    last = score
    return [{ side, score, seconds, status, gain, atMs: 0 }]
  })
  const steps = ofHistory.length > 0 ? ofHistory : scoreSteps(seen)
  const timed = steps.filter(({ seconds }) => seconds !== null)
  const [first] = timed
  const isWhole =
    first !== undefined &&
    timed.length === steps.length &&
    first.score[0] + first.score[1] <= Math.max(1, gainMax) &&
    first.score[0] * first.score[1] === 0
  return { steps: timed, isWhole, begin: isWhole ? { at: 0, by: 0 } : ofHistory.length > 0 ? null : firstSeen(seen) }
}

/** The first state that was seen, or that after the last gap in which the score changed. */
function firstSeen(seen: Seen): Course['begin'] {
  const gap = seen.findLastIndex(
    ({ isAfterGap, score }, index) => isAfterGap && String(score) !== String(seen[index - 1]?.score),
  )
  const { score, seconds } = seen[Math.max(0, gap)] ?? {}
  return score && typeof seconds === 'number' ? { at: seconds, by: score[0] - score[1] } : null
}

export function makeFamily(sportId: number): Family {
  const rules = RULES[sportId] ?? (RULES[6] as Rules)
  return { ground: rules.ground, ...(sportId === 16 && { labels: yards }), scene: (input) => sceneOf(input, rules) }
}

function sceneOf(input: Input, rules: Rules): Scene {
  const { tracked, names, texts, nowMs, extras } = input
  const course = courseOf(tracked, rules.gainMax)
  const last = course.steps.at(-1)
  const isOn = isPlayed(tracked)
  const fresh = isOn ? freshStep(tracked.seen, nowMs) : null
  const attack = isOn ? extras.attack : undefined
  return {
    call: last
      ? {
          side: last.side,
          text: rules.isGoals
            ? texts.t('trackerGoalBy', { name: of(names, last.side), score: last.score.join(':') })
            : `${of(names, last.side)} ${gainText(last, rules)}`,
        }
      : null,
    recent: [...course.steps]
      .reverse()
      .slice(0, 7)
      .map((step) => chip(step, input, rules)),
    marks: marksOf(tracked.match.sportId, attack),
    lamp: fresh && lampOf(fresh, rules),
    flow: last ? flowOf(input, course, rules) : null,
    statistics: course.isWhole ? statisticsOf(input, course, rules) : [],
  }
}

/** The points of a score, or the score itself if several came together. */
function gainText({ gain, score }: ScoreStep, { gainMax }: Rules): string {
  return gain > gainMax ? score.join(':') : `+${gain}`
}

function chip(step: ScoreStep, { tracked, names }: Input, rules: Rules): Chip {
  const { sportId } = tracked.match
  const clock = { kind: 'stopped', seconds: step.seconds ?? 0 } as const
  const when = clockText({ sportId, status: step.status, clock }, 0) ?? ''
  if (sportId === 6) {
    return { text: step.score.join(':'), side: step.side }
  }
  if (!rules.isGoals) {
    const text = gainText(step, rules)
    return { text: rules.hasPoints ? `${text} ${when}` : text, side: step.side }
  }
  return {
    text: `${of(names, step.side)} ${step.score.join(':')}`,
    side: step.side,
    when,
    ...(sportId === FUTSAL && { mark: 'ball' as const }),
  }
}

/** The numbers of the yard lines. */
function yards(c: Canvas): SVGElement[] {
  return [200, 300, 400, 500, 600, 700, 800, 900, 1000].flatMap((u) => {
    const yard = u <= 600 ? (u - 100) / 10 : (1100 - u) / 10
    return [90, 443].map((v) => words([c.at(u, v)[0], c.at(u, v)[1] + 3], yard, 'yard'))
  })
}

function marksOf(sportId: number, attack: Side | undefined): Drawing<Canvas> | null {
  const box = ATTACKED[sportId]
  return attack && box ? { key: String(attack), draw: (c) => [glow(c, attack, box)] } : null
}

function lampOf({ side, gain, atMs }: ScoreStep, { lamp, gainMax }: Rules): Drawing<Canvas> {
  const mirrored = ([u, v]: Spot): Spot => (side === 1 ? [u, v] : [lamp.length - u, v])
  const isPlain = gain <= gainMax
  return {
    key: `${side} ${gain} ${atMs}`,
    draw: (c) => [
      ...(lamp.r === null ? [] : [scoredAt(c, side, mirrored(lamp.at), lamp.r)]),
      ...(lamp.badge && isPlain ? [badge(c, mirrored(lamp.badge), side, `+${gain}`)] : []),
    ],
  }
}

/** The name of a part; halves and quarters have a short one. */
function nameOfPart(status: string | null, { status: text }: Texts): string | null {
  return status && text(/half|quarter/.test(status) ? `short_${status}` : status)
}

/** Changes of the time that are too small to be seen do not draw the chart again. */
const MOMENTS = 240

function flowOf(input: Input, { steps, begin }: Course, rules: Rules): Flow {
  const { tracked, texts, names } = input
  const { t } = texts
  const regular = rules.part * rules.parts * 60
  const lastSeconds = steps.at(-1)?.seconds ?? 0
  const end = Math.max(regular, lastSeconds, input.seconds ?? 0)
  const moment = Math.ceil((Math.max(lastSeconds, input.seconds ?? 0) / end) * MOMENTS)
  const shown = steps.slice(-MOMENTS)
  const points = shown.map(({ seconds, score: [home, away], side }) => ({ at: seconds ?? 0, by: home - away, side }))
  const now = points.at(-1)?.by ?? 0
  const leads: Pair = [Math.max(0, ...points.map(({ by }) => by)), Math.max(0, ...points.map(({ by }) => -by))]
  const summary =
    now === 0
      ? t('trackerLevel', { most: leads[0], other: leads[1] })
      : t('trackerLeads', {
          name: names[now > 0 ? 0 : 1],
          by: Math.abs(now),
          most: leads[now > 0 ? 0 : 1],
          other: leads[now > 0 ? 1 : 0],
        })
  const parts = Array.from({ length: rules.parts }, (_, index) => {
    const status = partStatus(boardKind(tracked.match.sportId), index)
    return [index * rules.part * 60, nameOfPart(status, texts) ?? String(index + 1)] as const
  })
  const [first] = points
  const from = (shown.length === steps.length ? begin : null) ?? first ?? { at: 0, by: 0 }
  return {
    caption: t(rules.isGoals ? 'trackerGoalDifference' : 'trackerPointDifference'),
    summary,
    key: JSON.stringify([points, from, moment, end]),
    draw: (width) => differenceChart(width, points, { end, now: (moment / MOMENTS) * end, parts, from, rules }),
  }
}

/** Makes the ids of one chart different from those of any other in the page. */
let serial = 0

interface ChartOptions {
  readonly end: number
  readonly now: number
  readonly parts: readonly (readonly [seconds: number, name: string])[]
  readonly from: { readonly at: number; readonly by: number }
  readonly rules: Rules
}

function differenceChart(
  width: Width,
  points: readonly { readonly at: number; readonly by: number; readonly side: Side }[],
  { end, now, parts, from, rules }: ChartOptions,
): SVGElement[] {
  const [left, right, top, bottom] = [margin(width), width - margin(width) - 22, 10, CHART_HEIGHT - 18]
  const up = Math.max(rules.least, from.by, ...points.map(({ by }) => by))
  const down = Math.max(rules.least, -from.by, ...points.map(({ by }) => -by))
  const x = (seconds: number) => left + (seconds / end) * (right - left)
  const y = (by: number) => top + ((up - by) / (up + down)) * (bottom - top)
  const last = points.at(-1)?.by ?? 0
  const steps = points.map(({ at, by }) => `H${short(x(at))}V${short(y(by))}`).join('')
  const line = `M${short(x(from.at))} ${short(y(from.by))}${steps}H${short(x(now))}`
  const area = `${line}V${short(y(0))}H${short(x(from.at))}z`
  serial += 1
  const half = (side: Side) => {
    const id = `half-${nameOf(side)}-${serial}`
    const clip = svg(
      'clipPath',
      { id },
      svg('rect', { x: 0, y: side === 1 ? 0 : short(y(0)), width, height: side === 1 ? short(y(0)) : CHART_HEIGHT }),
    )
    const drawn = svg(
      'g',
      { 'clip-path': `url(#${id})` },
      svg('path', { class: `area ${nameOf(side)}-fill`, d: area }),
      svg('path', { class: `edge ${nameOf(side)}-line`, d: line }),
    )
    return [clip, drawn]
  }
  const leader = sideOf([last, 0])
  return [
    ...parts.flatMap(([seconds, name]) => [
      ...(seconds > 0 ? [cut(x(seconds))] : []),
      tick(x(seconds) + (seconds > 0 ? 4 : 1), name),
    ]),
    axis(width - 22, y(0)),
    ...half(1),
    ...half(2),
    ...(rules.hasPoints ? points.map(({ at, by, side }) => mark(side, x(at), y(by))) : []),
    svg('circle', { class: `${nameOf(leader)}-fill rim`, cx: short(x(now)), cy: short(y(last)), r: 4.2 }),
    words([x(now) + 8, y(last) + 4], last === 0 ? '0' : `+${Math.abs(last)}`, `now ${nameOf(leader)}`, 'start'),
  ]
}

function statisticsOf({ texts, seconds, tracked }: Input, { steps }: Course, rules: Rules): Bar[] {
  const { t } = texts
  const leads: [number, number] = [0, 0]
  const led: [number, number] = [0, 0]
  let [by, since] = [0, 0]
  const pass = (until: number) => {
    if (by !== 0) {
      led[by > 0 ? 0 : 1] += Math.max(0, until - since)
    }
    since = until
  }
  for (const step of steps) {
    pass(step.seconds ?? since)
    by = step.score[0] - step.score[1]
    leads[by > 0 ? 0 : 1] = Math.max(leads[by > 0 ? 0 : 1], Math.abs(by))
  }
  pass(Math.max(since, seconds ?? since))
  const longest = runs(steps.flatMap(({ side, gain }) => Array<Side>(gain).fill(side)))
  const half = tracked.match.scores.at(-1)
  const isSecond = tracked.match.scores.length === 2 && half
  return [
    bar(t('trackerHighestLead'), leads),
    bar(t('trackerLongestRun'), longest, [`${longest[0]}:0`, `${longest[1]}:0`]),
    bar(t('trackerInLead'), led, [minutes(led[0]), minutes(led[1])]),
    ...(isSecond && rules.isGoals
      ? [bar(t('trackerGoalsInPart', { part: texts.status('short_second_half') }), half)]
      : []),
  ]
}

function minutes(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`
}
