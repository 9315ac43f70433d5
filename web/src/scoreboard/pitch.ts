/** The pitch with the ball, its trail and the kind of attack. Only the transform of the ball is animated. */
import type { Ball } from '../domain/offer'
import type { TranslationKey } from '../i18n/keys'
import { say, set, svg } from './dom'
import type { Texts } from './texts'

const WIDTH = 530
const HEIGHT = 218
const FIELD = { left: 14, top: 14, width: 502, height: 190 }
/** The number of previous positions in the trail. */
const TRAIL = 3
/** Positions nearer to the last one than this count as the same. */
const NEAR = 4
/** If the ball is above `bottom` and nearer than `aside` to the middle, the text moves down by `lower`. */
const WORDS = { bottom: 66, aside: 120, lower: 144 }

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

interface Place {
  readonly x: number
  readonly y: number
}

export class Pitch {
  readonly root: SVGSVGElement
  readonly #texts: Texts
  readonly #glow: Record<'1' | '2', SVGElement>
  readonly #trail: SVGPathElement
  readonly #dots: SVGCircleElement[]
  readonly #ball: SVGGElement
  readonly #pill: SVGGElement
  readonly #pillBack: SVGRectElement
  readonly #pillDot: SVGCircleElement
  readonly #pillAction: SVGTextElement
  readonly #pillClock: SVGTextElement
  #pillKey = '|'
  #places: Place[] = []

  constructor(texts: Texts) {
    this.#texts = texts
    this.#glow = { 1: glow('home'), 2: glow('away') }
    this.#trail = svg('path', { class: 'trail' })
    this.#dots = Array.from({ length: TRAIL }, () => svg('circle', { class: 'was', r: 3.5 }))
    this.#ball = svg('g', { class: 'ball' }, svg('circle', { class: 'halo', r: 14 }), svg('circle', { r: 6 }))
    this.#pillBack = svg('rect', { y: 24, height: 26, rx: 13 })
    this.#pillDot = svg('circle', { cy: 37, r: 4 })
    this.#pillAction = svg('text', { y: 41.5 })
    this.#pillClock = svg('text', { y: 41.5, class: 'clock' })
    this.#pill = svg('g', { class: 'pill away' }, this.#pillBack, this.#pillDot, this.#pillAction, this.#pillClock)
    this.root = svg(
      'svg',
      { class: 'pitch', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img' },
      svg('defs', {}, gradient('home', 0, 1), gradient('away', 1, 0)),
      svg('g', { class: 'stripes' }, ...[76, 202, 328, 454].map((x) => svg('rect', { x, width: 63, height: HEIGHT }))),
      this.#glow[1],
      this.#glow[2],
      lines(),
      this.#trail,
      ...this.#dots,
      this.#ball,
      this.#pill,
    )
  }

  /** Shows the ball. `status` is shown instead of an action if there is no ball position. */
  show(ball: Ball | null, named: string, status: string): void {
    set(this.root, 'data-side', String(ball?.side ?? 0))
    const action = ball ? this.#texts.t(ACTIONS[ball.action] ?? 'ballPossession') : ''
    set(this.root, 'aria-label', [this.#texts.t('trackerField'), named, action].filter(Boolean).join(', '))
    for (const [side, element] of Object.entries(this.#glow)) {
      element.classList.toggle('lit', ball !== null && String(ball.side) === side && PRESSING.includes(ball.action))
    }
    this.#ball.classList.toggle('away', !ball)
    if (ball) {
      this.#move({ x: FIELD.left + (ball.x / 100) * FIELD.width, y: FIELD.top + (ball.y / 100) * FIELD.height })
    } else if (this.#places.length > 0) {
      this.#places = []
      this.#drawTrail()
    }
    say(this.#pillAction, action || status)
    this.#fitPill()
  }

  tick(clock: string | null): void {
    if (this.#pillClock.textContent !== (clock ?? '')) {
      say(this.#pillClock, clock ?? '')
      this.#fitPill()
    }
  }

  #move(place: Place): void {
    const last = this.#places.at(-1)
    if (last && Math.hypot(place.x - last.x, place.y - last.y) < NEAR) {
      return
    }
    this.#places = [...this.#places, place].slice(-(TRAIL + 1))
    this.#ball.style.transform = `translate(${place.x.toFixed(1)}px, ${place.y.toFixed(1)}px)`
    const isInTheWay = place.y < WORDS.bottom && Math.abs(place.x - WIDTH / 2) < WORDS.aside
    set(this.#pill, 'transform', `translate(0 ${isInTheWay ? WORDS.lower : 0})`)
    this.#drawTrail()
  }

  #drawTrail(): void {
    const points = this.#places.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`)
    set(this.#trail, 'd', points.length > 1 ? `M${points.join('L')}` : '')
    this.#dots.forEach((dot, index) => {
      const place = this.#places[this.#places.length - 2 - index]
      set(dot, 'cx', String(place?.x ?? -20))
      set(dot, 'cy', String(place?.y ?? -20))
    })
  }

  #fitPill(): void {
    const texts = [this.#pillAction, this.#pillClock]
    const key = texts.map((text) => text.textContent).join('|')
    if (key === this.#pillKey) {
      return
    }
    this.#pillKey = key
    this.#pill.classList.toggle('away', key === '|')
    // Before layout a text has no length. Then 7 units per letter are a good estimate.
    const lengthOf = (text: SVGTextElement) => text.getComputedTextLength?.() || (text.textContent?.length ?? 0) * 7
    const [action, clock] = texts.map(lengthOf) as [number, number]
    const width = action + 44 + (clock > 0 ? clock + 8 : 0)
    const left = (WIDTH - width) / 2
    set(this.#pillBack, 'x', left.toFixed(1))
    set(this.#pillBack, 'width', width.toFixed(1))
    set(this.#pillDot, 'cx', (left + 16).toFixed(1))
    set(this.#pillAction, 'x', (left + 28).toFixed(1))
    set(this.#pillClock, 'x', (left + 36 + action).toFixed(1))
  }
}

function gradient(side: 'home' | 'away', from: number, to: number): SVGElement {
  return svg(
    'linearGradient',
    { id: `glow-${side}`, x1: from, x2: to, y1: 0, y2: 0 },
    svg('stop', { offset: 0, class: `${side}-none` }),
    svg('stop', { offset: 1, class: `${side}-full` }),
  )
}

/** An arrow head that points to the attacked goal. */
function glow(side: 'home' | 'away'): SVGElement {
  const x = (value: number) => (side === 'home' ? value : WIDTH - value)
  const points = [x(322), 14, x(346), 109, x(322), 204, x(516), 204, x(516), 14]
  return svg('polygon', { class: 'glow', points: points.join(' '), fill: `url(#glow-${side})` })
}

function lines(): SVGElement {
  return svg(
    'g',
    { class: 'lines' },
    svg('rect', { x: 14, y: 14, width: 502, height: 190 }),
    svg('path', { d: 'M265 14v190M14 56h74v106H14M14 84h28v50H14M516 56h-74v106h74M516 84h-28v50h28' }),
    svg('path', { d: 'M88 92a24 24 0 010 34M442 92a24 24 0 000 34' }),
    svg('circle', { cx: 265, cy: 109, r: 30 }),
  )
}
