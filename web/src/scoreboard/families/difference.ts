/** Sports that are played against a clock: the difference of the score over time, and a light for each new score. */
import { clockText } from '../../domain/clock'
import type { Pair, Side } from '../../domain/offer'
import { asSide } from '../../protocol/extras'
import type { Width } from '../address'
import { boardKind, partStatus } from '../boards'
import { axis, cut, margin, mark, tick } from '../charts'
import { svg } from '../dom'
import type { Call, Chip, Drawing, Family, Flow, Input, Scene } from '../family'
import { isPlayed } from '../family'
import { freshStep, of, runs, sideOf } from '../seen'
import { minutes, type Short, shortsOf, skatersOf } from '../shorts'
import { CHART_HEIGHT, nameOf } from '../sides'
import { type Canvas, glow, short, words, zone } from '../stage'
import { type Bar, bar } from '../statistics'
import type { Texts } from '../texts'
import { type Course, countOf, courseOf, type Step, WAY } from './course'
import { type Lamp, lampOf, WAY_SHORT, WAY_WORDS } from './scored'

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
  readonly lamp: Lamp
  /** The highest number of points that one score can give. */
  readonly gainMax: number
}

const BASKETBALL = 2
const HOCKEY = 4
const RUGBY = 12
const FOOTBALL = 16
const FUTSAL = 29

/** The minutes of a minor penalty in ice hockey. */
const MINOR = 2

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

export function makeFamily(sportId: number): Family {
  const rules = RULES[sportId] ?? (RULES[6] as Rules)
  return { ground: rules.ground, ...(sportId === 16 && { labels: yards }), scene: (input) => sceneOf(input, rules) }
}

function sceneOf(input: Input, rules: Rules): Scene {
  const { tracked, nowMs, extras, seconds } = input
  const { sportId } = tracked.match
  const course = courseOf(tracked, extras, rules.gainMax)
  const last = course.steps.at(-1)
  const isOn = isPlayed(tracked)
  const fresh = isOn ? freshStep(tracked.seen, nowMs) : null
  const attack = isOn ? asSide(extras.attack?.[0]) : 0
  const power = isOn && sportId === HOCKEY ? powerPlay(shortsOf(extras, tracked, seconds), tracked.match.status) : null
  const scored = fresh && course.steps.findLast(({ side, score }) => side === fresh.side && isSame(score, fresh.score))
  return {
    call: callOf(input, rules, { last, attack, power }),
    recent: chipsOf(course.steps, input, rules),
    marks: marksOf(sportId, attack, power),
    lamp: fresh && lampOf(fresh, rules.lamp, rules.gainMax, scored?.way ?? 0),
    flow: last ? flowOf(input, course, rules) : null,
    statistics: statisticsOf(input, course, rules),
  }
}

function isSame(one: Pair, other: Pair): boolean {
  return one[0] === other[0] && one[1] === other[1]
}

interface Moment {
  readonly last: Step | undefined
  readonly attack: Side | 0
  readonly power: Power | null
}

interface Power extends Short {
  /** The players of this side and of the other one, where they are known. */
  readonly skaters: Pair | null
}

/** The seconds after a try within which the conversion must be taken (World Rugby, Law 8). */
const KICK_WITHIN = 60

function callOf(
  { texts: { t }, names, tracked, seconds }: Input,
  rules: Rules,
  { last, attack, power }: Moment,
): Call | null {
  if (power) {
    const [own, other] = power.skaters ?? [0, 0]
    const what = own - other > 1 ? t('trackerSkaters', { own, other }) : t('trackerPowerPlay')
    const time = power.left === null ? '' : ` ${minutes(power.left)}`
    return { side: power.side, text: what + time, name: of(names, power.side) }
  }
  if (attack) {
    return { side: attack, text: t('trackerAttackOf', { name: of(names, attack) }) }
  }
  if (!last) {
    return null
  }
  const name = of(names, last.side)
  const since = (seconds ?? Number.POSITIVE_INFINITY) - (last.seconds ?? 0)
  if (isKickToCome(last, since) && isPlayed(tracked)) {
    return { side: last.side, text: t('trackerTryConversion'), name }
  }
  const word = WAY_WORDS[last.way]
  const text = rules.isGoals
    ? t('trackerGoalBy', { name, score: last.score.join(':') })
    : word
      ? `${t(word)}, ${name}`
      : `${name} ${gainText(last, rules)}`
  return { side: last.side, text }
}

function isKickToCome({ way }: Step, since: number): boolean {
  return way === WAY.try && since >= 0 && since <= KICK_WITHIN
}

/** The side with more players, and for how long. */
function powerPlay(shorts: readonly Short[], status: string | null): Power | null {
  const of1 = shorts.filter(({ side }) => side === 1)
  const of2 = shorts.filter(({ side }) => side === 2)
  if (of1.length === of2.length) {
    return null
  }
  const more = of1.length > of2.length ? of1 : of2
  const timed = more.flatMap(({ left }) => (left === null ? [] : [left]))
  const [home, away] = skatersOf(shorts, status) ?? []
  const side = more === of1 ? 2 : 1
  const skaters: Pair | null = home && away ? (side === 1 ? [home, away] : [away, home]) : null
  return { side, left: timed.length > 0 ? Math.min(...timed) : null, skaters }
}

/** The points of a score, or the score itself if several came together. */
function gainText({ gain, score }: Step, { gainMax }: Rules): string {
  return gain > gainMax ? score.join(':') : `+${gain}`
}

const CHIPS_MAX = 7

/** The newest first. A kick after a try or touchdown is one event with it. */
function chipsOf(steps: readonly Step[], input: Input, rules: Rules): Chip[] {
  const chips: Chip[] = []
  for (let index = steps.length - 1; index >= 0 && chips.length < CHIPS_MAX; index -= 1) {
    const [step, before] = [steps[index], steps[index - 1]]
    if (step && before && isKickAfter(step, before)) {
      chips.push(chip(before, input, rules, ` + ${step.gain}`))
      index -= 1
    } else if (step) {
      chips.push(chip(step, input, rules))
    }
  }
  return chips
}

function isKickAfter({ way, side }: Step, before: Step): boolean {
  const isKick =
    way === WAY.conversion ? before.way === WAY.try : before.way === WAY.touchdown && way === WAY.extraPoint
  return isKick && side === before.side
}

/** A longer name leaves no room for the event in the narrow panel. */
const NAME_MAX = 10

function chip(step: Step, { tracked, names, texts }: Input, rules: Rules, added = ''): Chip {
  const { sportId } = tracked.match
  const clock = { kind: 'stopped', seconds: step.seconds ?? 0 } as const
  const status = step.status ?? statusAt(step.seconds ?? 0, sportId, rules)
  const when = clockText({ sportId, status, clock }, 0) ?? ''
  if (sportId === 6) {
    return { text: step.score.join(':'), side: step.side }
  }
  if (!rules.isGoals) {
    const word = WAY_WORDS[step.way]
    const text = (word ? texts.t(word) : gainText(step, rules)) + added
    const brief = WAY_SHORT[step.way]
    // The clock of American football counts down, so the seconds since the start would not be understood.
    const hasTime = rules.hasPoints && sportId !== FOOTBALL
    return {
      text: hasTime ? `${text} ${when}` : text,
      ...(brief && { short: texts.t(brief) + added }),
      side: step.side,
    }
  }
  const [name, score] = [of(names, step.side), step.score.join(':')]
  return {
    text: `${name} ${score}`,
    ...(name.length > NAME_MAX && { short: score }),
    side: step.side,
    when: sportId === FUTSAL ? `${Math.floor((step.seconds ?? 0) / 60) + 1}'` : when,
    ...(sportId === FUTSAL && { mark: 'ball' as const }),
  }
}

/** The part of the match at a time, if it is one of the regular ones. */
function statusAt(seconds: number, sportId: number, { part, parts }: Rules): string | null {
  return partStatus(boardKind(sportId), Math.min(parts - 1, Math.floor(seconds / (part * 60))))
}

/** The numbers of the yard lines. */
function yards(c: Canvas): SVGElement[] {
  return [200, 300, 400, 500, 600, 700, 800, 900, 1000].flatMap((u) => {
    const yard = u <= 600 ? (u - 100) / 10 : (1100 - u) / 10
    return [90, 443].map((v) => words([c.at(u, v)[0], c.at(u, v)[1] + 3], yard, 'yard'))
  })
}

/** The attacking zone of ice hockey, from the blue line. */
const ATTACKING_ZONE = {
  1: 'M3714 0H5150A850 850 0 0 1 6000 850V2150A850 850 0 0 1 5150 3000H3714z',
  2: 'M2286 0H850A850 850 0 0 0 0 850V2150A850 850 0 0 0 850 3000H2286z',
} as const

function marksOf(sportId: number, attack: Side | 0, power: Short | null): Drawing<Canvas> | null {
  const box = ATTACKED[sportId]
  if (power) {
    return { key: `power ${power.side}`, draw: (c) => [zone(c, power.side, ATTACKING_ZONE[power.side])] }
  }
  return attack && box ? { key: String(attack), draw: (c) => [glow(c, attack, box)] } : null
}

/** The short name of a part. */
function nameOfPart(status: string | null, { status: text, t }: Texts): string | null {
  const [, part, number = ''] = /^(period|quarter)_(\d)$/.exec(status ?? '') ?? []
  if (part === 'period') {
    return t('trackerPeriodShort', { period: number })
  }
  return part ? t('trackerQuarterShort', { quarter: number }) : status && text(`short_${status}`)
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

function statisticsOf(input: Input, { steps, isWhole }: Course, rules: Rules): Bar[] {
  const { texts, tracked } = input
  const { t } = texts
  const { sportId } = tracked.match
  const counts = countsOf(input)
  if (!isWhole) {
    return counts
  }
  const hasWays = steps.some(({ way }) => way > 0)
  if (sportId === RUGBY && hasWays) {
    const [tries, conversions] = [countOf(steps, WAY.try), countOf(steps, WAY.conversion)]
    const last = steps.at(-1)
    const isToCome = last && isPlayed(tracked) && isKickToCome(last, (input.seconds ?? 0) - (last.seconds ?? 0))
    const kicks = (side: Side) => of(tries, side) - (isToCome && last.side === side ? 1 : 0)
    const drops = countOf(steps, WAY.dropGoal)
    return [
      bar(t('trackerTries'), tries),
      bar(t('trackerConversions'), conversions, [`${conversions[0]}/${kicks(1)}`, `${conversions[1]}/${kicks(2)}`]),
      bar(t('trackerPenaltyKicks'), countOf(steps, WAY.penalty)),
      ...(drops[0] + drops[1] > 0 ? [bar(t('trackerDropGoal'), drops)] : []),
    ]
  }
  return [
    ...(sportId === FOOTBALL && hasWays
      ? [
          bar(t('trackerTouchdowns'), countOf(steps, WAY.touchdown)),
          bar(t('trackerFieldGoals'), countOf(steps, WAY.fieldGoal)),
        ]
      : []),
    ...leadsOf(input, steps, rules),
    ...(sportId === BASKETBALL && hasWays ? [bar(t('trackerThrees'), countOf(steps, WAY.three))] : []),
    ...counts,
  ]
}

/** What the facts count. */
function countsOf({ texts: { t }, tracked, extras }: Input): Bar[] {
  const pair = ([home, away]: readonly number[] = []): Pair[] =>
    home === undefined || away === undefined ? [] : [[home, away]]
  const served = (penalties: number) => t('limitMinutes', { minutes: MINOR * penalties })
  const { sportId } = tracked.match
  const [taken, powerGoals] = [pair(extras.penalties), pair(extras.penalties?.slice(2))]
  return [
    ...(sportId === HOCKEY
      ? [
          ...powerGoals.map((goals) => bar(t('trackerPowerPlayGoals'), goals)),
          ...taken.map((each) => bar(t('trackerPenaltyMinutes'), each, [served(each[0]), served(each[1])])),
        ]
      : taken.map((each) => bar(t('trackerSuspensions'), each))),
    ...pair(extras.shots).map((shots) => bar(t('trackerShots'), shots)),
    ...(sportId === FUTSAL ? pair(extras.timeouts).map((each) => bar(t('trackerTimeouts'), each)) : []),
  ]
}

function leadsOf({ texts, seconds, tracked }: Input, steps: readonly Step[], rules: Rules): Bar[] {
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
  // Goals of ice hockey and futsal are so rare that a lead of several says little.
  const areRare = rules.isGoals && rules.hasPoints
  const run = bar(t('trackerLongestRun'), longest, areRare ? undefined : [`${longest[0]}:0`, `${longest[1]}:0`])
  return [
    ...(areRare ? [] : [bar(t('trackerHighestLead'), leads), run]),
    bar(t('trackerInLead'), led, [minutes(led[0]), minutes(led[1])]),
    ...(areRare ? [run] : []),
    ...(isSecond && tracked.match.sportId === FUTSAL
      ? [bar(t('trackerGoalsInPart', { part: texts.status('short_second_half') }), half)]
      : []),
  ]
}
