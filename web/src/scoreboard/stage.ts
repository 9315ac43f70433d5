/**
 * The stage: the playing area of a sport in its true proportions, and the marks above it. Marks are drawn in pixels of
 * the panel; `at` gives the pixel for a point of the ground in the units of its rule book.
 */
import type { Side } from '../domain/offer'
import type { Width } from './address'
import { svg } from './dom'
import { nameOf, STAGE } from './sides'

export type Spot = readonly [x: number, y: number]

export interface Canvas {
  readonly width: Width
  readonly height: number
  readonly isWide: boolean
  /** Pixels per unit of the ground. */
  readonly scale: number
  readonly left: number
  readonly right: number
  /** The pixel of a point of the ground. */
  readonly at: (u: number, v: number) => Spot
}

export interface Stage {
  readonly canvas: Canvas
  readonly art: SVGElement
}

/** Places a ground, the text of one of our own SVG files, above `foot` px that stay free. */
export function placeGround(text: string, width: Width, foot = 0): Stage {
  const { height, x, y } = STAGE[width]
  const root = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement
  const [u = 0, v = 0, w = 1, h = 1] = (root.getAttribute('viewBox') ?? '').split(' ').map(Number)
  const scale = Math.min((width - 2 * x) / w, (height - 2 * y - foot) / h)
  const left = (width - w * scale) / 2
  const top = (height - foot - h * scale) / 2
  const art = svg('svg', {
    class: 'art',
    x: short(left),
    y: short(top),
    width: short(w * scale),
    height: short(h * scale),
    viewBox: `${u} ${v} ${w} ${h}`,
    fill: 'none',
    'stroke-linejoin': 'round',
  })
  // The surround is for viewing the file alone: the stage has that colour itself.
  const groups = [...root.children].filter((group) => !group.id.endsWith('-surround'))
  art.append(...groups.map((group) => document.importNode(group, true)))
  const canvas: Canvas = {
    width,
    height,
    isWide: width === 530,
    scale,
    left,
    right: left + w * scale,
    at: (a, b) => [left + (a - u) * scale, top + (b - v) * scale],
  }
  return { canvas, art }
}

export function short(value: number): string {
  return String(Math.round(value * 10) / 10)
}

export function point([x, y]: Spot): string {
  return `${short(x)} ${short(y)}`
}

export function words(
  [x, y]: Spot,
  text: string | number,
  className: string,
  anchor: 'start' | 'middle' | 'end' = 'middle',
): SVGElement {
  return svg('text', { class: className, x: short(x), y: short(y), 'text-anchor': anchor }, String(text))
}

/** A ball or a player: white, with a ring in the colour of the side. */
export function dot([x, y]: Spot, side: Side | 0, r = 6): SVGElement {
  return svg(
    'g',
    { class: `ball ${nameOf(side)}` },
    svg('circle', { class: 'halo', cx: short(x), cy: short(y), r: r * 2.2 }),
    svg('circle', { cx: short(x), cy: short(y), r }),
  )
}

/** A part of the ground in the colour of a side; the path is in units of the ground. */
export function zone(c: Canvas, side: Side | 0, d: string, opacity = 0.26): SVGElement {
  const [x, y] = c.at(0, 0)
  return svg('path', {
    class: `${nameOf(side)}-fill`,
    'fill-opacity': opacity,
    transform: `translate(${short(x)} ${short(y)}) scale(${c.scale.toFixed(5)})`,
    d,
  })
}

/** A score of the last seconds: arcs around the goal that the side attacks. */
export function scoredAt(c: Canvas, side: Side, [u, v]: Spot, r: number): SVGElement {
  const [x, y] = c.at(u, v)
  const arc = (radius: number, opacity: number) =>
    svg('path', {
      class: `${nameOf(side)}-line`,
      'stroke-opacity': opacity,
      'stroke-width': 2.4,
      d: `M${point([x, y - radius])}A${radius} ${radius} 0 0 ${side === 1 ? 0 : 1} ${point([x, y + radius])}`,
    })
  return svg(
    'g',
    {},
    arc(r, 0.95),
    arc(r * 1.6, 0.55),
    arc(r * 2.2, 0.28),
    svg('circle', { class: `${nameOf(side)}-fill`, cx: short(x), cy: short(y), r: 5 }),
  )
}

/** A short text such as `+3` on a plate in the colour of the side. */
export function badge(c: Canvas, [u, v]: Spot, side: Side, text: string): SVGElement {
  const [x, y] = c.at(u, v)
  return svg(
    'g',
    {},
    svg('rect', {
      class: `${nameOf(side)}-fill`,
      x: short(x - 14),
      y: short(y - 11),
      width: 28,
      height: 22,
      rx: 6,
    }),
    words([x, y + 4.5], text, 'badge'),
  )
}

/** A service: the server, the way of the ball, and the courts that are lit, as [x, y, width, height]. */
export function service(
  c: Canvas,
  side: Side,
  from: Spot,
  to: Spot,
  { boxes = [], curve = 0 }: { boxes?: readonly (readonly [number, number, number, number])[]; curve?: number } = {},
): SVGElement[] {
  const [a, b] = [c.at(...from), c.at(...to)]
  const middle: Spot = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2 + curve]
  const angle = (Math.atan2(b[1] - middle[1], b[0] - middle[0]) * 180) / Math.PI
  return [
    ...boxes.map(([x, y, w, h]) => zone(c, side, `M${x} ${y}h${w}v${h}h${-w}z`)),
    svg('path', { class: `flight ${nameOf(side)}-line`, d: `M${point(a)}Q${point(middle)} ${point(b)}` }),
    svg('path', {
      class: `${nameOf(side)}-line`,
      'stroke-width': 2,
      'stroke-linecap': 'round',
      transform: `translate(${point(b)}) rotate(${short(angle)})`,
      d: 'M-6 -4.5L0 0L-6 4.5',
    }),
    dot(a, side),
  ]
}

/** Two lamps: the third out ends the half of an inning. */
const LAMPS = [0, 1]

/** A line of figures; `lamps` is the number of lit ones. */
export type WingLine = readonly [text: string, size: 'big' | 'mid' | 'small' | 'gap' | 'lamps']

/** Figures beside a narrow ground, in the middle of the free space on that side. A long name gets a second line. */
export function wing(c: Canvas, side: Side, lines: readonly WingLine[]): SVGElement[] {
  const room = side === 1 ? c.left : c.width - c.right
  const x = side === 1 ? room / 2 + 2 : c.width - room / 2 - 2
  const steps = { big: c.isWide ? 31 : 24, mid: c.isWide ? 20 : 16, small: c.isWide ? 17 : 15, gap: 8, lamps: 16 }
  // The usual width of a letter, in px: before layout a text has no length.
  const letters = { big: c.isWide ? 15 : 12, mid: c.isWide ? 9.6 : 7.8, small: c.isWide ? 6.6 : 5.8, gap: 0, lamps: 0 }
  const fits = (text: string, size: WingLine[1]) => text.length * letters[size] <= room - 8
  const rows = lines.flatMap(([text, size]): WingLine[] =>
    fits(text, size) ? [[text, size]] : halves(text).map((part) => [part, size]),
  )
  let y = (c.height - rows.reduce((sum, [, size]) => sum + steps[size], 0)) / 2
  return rows.flatMap(([text, size]) => {
    y += steps[size]
    if (!text) {
      return []
    }
    if (size === 'lamps') {
      return LAMPS.map((at) =>
        svg('circle', {
          class: at < Number(text) ? 'outlamp lit' : 'outlamp',
          cx: short(x - 8 + at * 16),
          cy: short(y - 6),
          r: 5,
        }),
      )
    }
    const element = words([x, y - 4], text, `wing ${size}`)
    if (!fits(text, size)) {
      element.setAttribute('textLength', short(room - 10))
      element.setAttribute('lengthAdjust', 'spacingAndGlyphs')
    }
    return [element]
  })
}

/** The two parts of a text, divided at the space nearest to its middle. */
function halves(text: string): readonly string[] {
  const spaces = [...text.matchAll(/ /g)].map(({ index }) => index)
  const [at] = spaces.sort((a, b) => Math.abs(a - text.length / 2) - Math.abs(b - text.length / 2))
  return at === undefined ? [text] : [text.slice(0, at), text.slice(at + 1)]
}

/** The attacked end lights up, with an arrow head that points to it. Corners in units of the ground. */
export function glow(c: Canvas, side: Side, [left, top, right, bottom]: readonly [number, number, number, number]) {
  const id = `glow-${nameOf(side)}`
  const [from, to] = side === 1 ? [0, 1] : [1, 0]
  const at = (part: number) => (side === 1 ? left + (right - left) * part : right - (right - left) * part)
  const path = [
    point(c.at(at(0.6), top)),
    point(c.at(at(0.655), (top + bottom) / 2)),
    point(c.at(at(0.6), bottom)),
    point(c.at(at(1), bottom)),
    point(c.at(at(1), top)),
  ]
  return svg(
    'g',
    { class: `glow ${nameOf(side)}` },
    svg(
      'linearGradient',
      { id, x1: from, x2: to },
      svg('stop', { offset: 0, class: `${nameOf(side)}-stop`, 'stop-opacity': 0 }),
      svg('stop', { offset: 1, class: `${nameOf(side)}-stop`, 'stop-opacity': 0.34 }),
    ),
    svg('path', { d: `M${path.join('L')}z`, fill: `url(#${id})` }),
  )
}
