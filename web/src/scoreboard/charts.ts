/** The parts that all charts have: 84 px high, drawn in pixels of the panel. Home is up, away is down. */
import type { Pair, Side } from '../domain/offer'
import type { Width } from './address'
import { svg } from './dom'
import { CHART_HEIGHT, nameOf } from './sides'
import { short, words } from './stage'

/** The margin of a chart, the same as that of the texts around it. */
export function margin(width: Width): number {
  return width === 355 ? 12 : 14
}

export function axis(width: number, y: number): SVGElement {
  const left = width > 400 ? 14 : 12
  return svg('path', { class: 'axis', d: `M${left} ${short(y)}H${short(width - left)}` })
}

export function cut(x: number, top = 4, bottom = CHART_HEIGHT - 2): SVGElement {
  return svg('path', { class: 'cut', d: `M${short(x)} ${top}V${bottom}` })
}

export function tick(
  x: number,
  text: string | number,
  anchor: 'start' | 'middle' | 'end' = 'start',
  y = CHART_HEIGHT - 2,
) {
  return words([x, y], text, 'tick', anchor)
}

export function bar(
  side: Side | 0,
  [x, y, width, height]: readonly [number, number, number, number],
  isNew: boolean,
): SVGElement {
  return svg('rect', {
    class: isNew ? `${nameOf(side)} new` : nameOf(side),
    x: short(x),
    y: short(y),
    width: short(width),
    height: short(height),
    rx: short(Math.min(2, width * 0.25)),
  })
}

/** The point of a chart: home's is full, away's is hollow. */
export function mark(side: Side, x: number, y: number, r = side === 2 ? 2.8 : 3.4): SVGElement {
  return svg('circle', {
    class: side === 2 ? 'hollow away-line' : 'home-fill rim',
    cx: short(x),
    cy: short(y),
    r,
  })
}

/** Bars up for home and down for away; `parts` are the starts of periods. */
export function momentum(
  width: Width,
  values: readonly number[],
  count: number,
  parts: readonly (readonly [index: number, name: string])[],
  { least = 16, newest = 3 } = {},
): { readonly nodes: SVGElement[]; readonly x: (index: number) => number } {
  const middle = 38
  const step = (width - 2 * margin(width)) / count
  const most = Math.max(least, ...values.map(Math.abs))
  const x = (index: number) => margin(width) + index * step
  const bars = values.flatMap((value, index): SVGElement[] => {
    const height = Math.max(2, (Math.abs(value) / most) * 24)
    const top = value > 0 ? middle - height : middle + 0.5
    const isNew = index >= values.length - newest
    return value === 0 ? [] : [bar(value > 0 ? 1 : 2, [x(index), top, step * 0.74, height], isNew)]
  })
  const cuts = parts.flatMap(([index, name]) => [
    ...(index > 0 ? [cut(x(index) - step * 0.13)] : []),
    tick(x(index) + (index > 0 ? 4 : 0), name),
  ])
  return { nodes: [axis(width, middle), ...cuts, ...bars], x }
}

/** Two lanes with a label for the points of each side at their end. */
export const LANES = [12, 39] as const
export const LANE_HEIGHT = 21

export function lanes(
  width: Width,
  points: Pair<string | number>,
): { left: number; right: number; nodes: SVGElement[] } {
  const [left, right] = [margin(width), width - margin(width) - 34]
  const nodes = LANES.map((y) =>
    svg('rect', { class: 'lane', x: left, y, width: short(right - left), height: LANE_HEIGHT, rx: 3 }),
  )
  const ends = LANES.map((y, index) =>
    words(
      [width - margin(width), y + 16],
      points[index as 0 | 1],
      `lanepoints ${index === 0 ? 'home' : 'away'}`,
      'end',
    ),
  )
  return { left, right, nodes: [...nodes, ...ends] }
}
