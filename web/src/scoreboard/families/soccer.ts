/**
 * Soccer: the ball with its trail and the attacked end, the pressure by minute with goals and red cards, and the events.
 * Only the transform of the ball is animated, so the marks are created once and then moved.
 */
import { clockText } from '../../domain/clock'
import type { Ball, Side } from '../../domain/offer'
import type { TranslationKey } from '../../i18n/keys'
import { momentum } from '../charts'
import { set, svg } from '../dom'
import type { Chip, Drawing, Family, Flow, Input, Scene } from '../family'
import { isPlayed } from '../family'
import { type Incident, isGoal } from '../history'
import { freshStep, of } from '../seen'
import { nameOf } from '../sides'
import { type Canvas, dot, glow, point, type Spot, scoredAt, short } from '../stage'

const [LENGTH, WIDTH] = [1050, 680]
/** The number of previous positions in the trail. */
const TRAIL = 3
/** Positions nearer to the last one than this, in px, count as the same. */
const NEAR = 4

const ACTIONS: readonly TranslationKey[] = [
  'ballPossession',
  'ballAttack',
  'ballDangerous',
  'ballShot',
  'ballCorner',
  'ballFreeKick',
  'ballGoalKick',
  'ballThrowIn',
  'ballSave',
  'ballFoul',
  'ballGoal',
  'ballPenalty',
  'ballOffside',
]
/** The actions that attack a goal: that end of the pitch is highlighted. */
const PRESSING = [1, 2, 3, 4, 10, 11]

export function makeFamily(): Family {
  const marks = new BallMarks()
  return { ground: () => import('../grounds/soccer.svg?raw'), scene: (input) => sceneOf(input, marks) }
}

function sceneOf(input: Input, marks: BallMarks): Scene {
  const { tracked, names, texts, nowMs } = input
  const { history, match, seen } = tracked
  const isOn = isPlayed(tracked)
  const ball = isOn ? tracked.ball : null
  const side = ball?.side === 1 || ball?.side === 2 ? ball.side : 0
  const events = history.incidents.filter(({ kind }) => isGoal(kind) || kind === 'red')
  const fresh = isOn && !ball ? freshStep(seen, nowMs) : null
  const status = match.status ? texts.status(match.status) : ''
  const action = ball && texts.t(ACTIONS[ball.action] ?? 'ballPossession')
  const hasFlow = history.pressure.length > 0
  return {
    call: action
      ? { side, text: action, ...(side !== 0 && { name: of(names, side) }) }
      : (hasFlow || events.length > 0) && status
        ? { side: 0, text: status }
        : null,
    recent: events
      .map((event) => chip(event, input))
      .reverse()
      .slice(0, 4),
    marks: ball || hasFlow ? marks.drawing(ball) : null,
    lamp: fresh && {
      key: `${fresh.side} ${fresh.atMs}`,
      draw: (c) => [scoredAt(c, fresh.side, [fresh.side === 1 ? LENGTH : 0, WIDTH / 2], 13)],
    },
    flow: hasFlow ? flowOf(input, events) : null,
    statistics: [],
  }
}

function chip({ kind, side, seconds, status, score, player }: Incident, { tracked, names }: Input): Chip {
  const { sportId } = tracked.match
  const when = seconds === null ? null : clockText({ sportId, status, clock: { kind: 'stopped', seconds } }, 0)
  const name = player ?? of(names, side)
  return {
    side,
    text: score && kind !== 'red' ? `${name} ${score.join(':')}` : name,
    ...(when && { when }),
    mark: kind === 'red' ? ('red' as const) : ('ball' as const),
  }
}

/** The ball, its trail and the lit ends: the same elements for the whole match. */
class BallMarks {
  readonly #trail = svg('path', { class: 'flight' })
  readonly #dots = Array.from({ length: TRAIL }, () => svg('circle', { class: 'was', r: 3.4 }))
  readonly #ball = dot([0, 0], 0)
  #glows: readonly SVGElement[] = []
  #nodes: readonly SVGElement[] = []
  #spots: Spot[] = []

  drawing(ball: Ball | null): Drawing<Canvas> {
    return { key: JSON.stringify(ball), draw: (c) => this.#draw(c, ball) }
  }

  #draw(c: Canvas, ball: Ball | null): readonly SVGElement[] {
    if (this.#nodes.length === 0) {
      this.#glows = [1, 2].map((side) => glow(c, side as Side, [0, 0, LENGTH, WIDTH]))
      this.#nodes = [...this.#glows, this.#trail, ...this.#dots, this.#ball]
    }
    this.#glows.forEach((element, index) => {
      element.classList.toggle('lit', ball?.side === index + 1 && PRESSING.includes(ball.action))
    })
    const name = nameOf(ball?.side === 1 || ball?.side === 2 ? ball.side : 0)
    set(this.#ball, 'class', ball ? `ball moving ${name}` : 'ball moving none off')
    set(this.#trail, 'class', `flight ${name}-line`)
    for (const was of this.#dots) {
      set(was, 'class', `was ${name}-fill`)
    }
    if (ball) {
      this.#move(c.at((ball.x / 100) * LENGTH, (ball.y / 100) * WIDTH))
    } else {
      this.#spots = []
    }
    this.#drawTrail()
    return this.#nodes
  }

  #move(to: Spot): void {
    const last = this.#spots.at(-1)
    if (last && Math.hypot(to[0] - last[0], to[1] - last[1]) < NEAR) {
      return
    }
    this.#spots = [...this.#spots, to].slice(-(TRAIL + 1))
    this.#ball.style.transform = `translate(${short(to[0])}px, ${short(to[1])}px)`
  }

  #drawTrail(): void {
    set(this.#trail, 'd', this.#spots.length > 1 ? `M${this.#spots.map(point).join('L')}` : '')
    this.#dots.forEach((was, index) => {
      const [x, y] = this.#spots[this.#spots.length - 2 - index] ?? [-20, -20]
      set(was, 'cx', short(x))
      set(was, 'cy', short(y))
    })
  }
}

/** The minutes of a match without extra time. */
const REGULAR = 90

function flowOf({ tracked, texts, names }: Input, events: readonly Incident[]): Flow {
  const { pressure } = tracked.history
  const of45 = [texts.status('short_first_half'), texts.status('short_second_half')] as const
  const count = Math.max(REGULAR, pressure.length)
  const home = pressure.filter((value) => value > 0).length
  const away = pressure.filter((value) => value < 0).length
  const marked = events.flatMap(({ kind, side, seconds }) =>
    seconds === null ? [] : [{ side, isRed: kind === 'red', minute: Math.min(count - 1, Math.floor(seconds / 60)) }],
  )
  return {
    caption: texts.t('trackerPressure'),
    summary: texts.t('trackerPressesMore', {
      name: names[home >= away ? 0 : 1],
      minutes: Math.max(home, away),
      of: pressure.length,
    }),
    key: JSON.stringify([pressure, marked]),
    draw: (width) => {
      const parts = [[0, of45[0]] as const, [45, of45[1]] as const].slice(0, pressure.length > 45 ? 2 : 1)
      const { nodes, x } = momentum(width, pressure, count, parts)
      return [...nodes, ...marked.map(({ side, isRed, minute }) => eventMark(x(minute + 0.37), side, isRed))]
    },
  }
}

function eventMark(x: number, side: Side, isRed: boolean): SVGElement {
  const y = side === 1 ? 7 : 69
  return isRed
    ? svg('rect', { class: 'redcard', x: short(x - 3), y: y - 4.5, width: 6, height: 9, rx: 1 })
    : svg('circle', { class: `${nameOf(side)}-fill rim`, cx: short(x), cy: y, r: 4 })
}
