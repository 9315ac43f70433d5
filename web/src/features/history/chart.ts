/** The drawing of a price's movement: steps over time, as the path of an SVG. Pure. */
import type { PricePoint } from '../../api/historyApi'

export interface Trail {
  /** The price before the first change. */
  readonly before: number
  readonly changes: readonly PricePoint[]
}

export interface Chart {
  /** The steps; a gap where nothing was offered. */
  readonly line: string
  /** What lies below them. */
  readonly area: string
  /** Where the line is now; null where nothing is offered. */
  readonly now: { readonly x: number; readonly y: number } | null
  readonly fromMs: number
  readonly toMs: number
}

export interface Facts {
  readonly lowest: number
  readonly highest: number
  /** The first price that is known. */
  readonly first: number
  readonly last: number
  readonly count: number
}

/** A price that stood for long before it moved takes so much of the width. */
const LEAD = 0.08
/** A move of less than this part of the price does not fill the height: it is to look as small as it is. */
const RANGE_MIN = 0.04
/** A line shorter than this would be a flicker. */
const SPAN_MS_MIN = 10_000

/** What the trail says in figures; null where nothing was ever offered. */
export function factsOf({ before, changes }: Trail): Facts | null {
  const values = [before, ...changes.map(({ value }) => value)]
  const offered = values.filter((value) => value > 0)
  const first = offered[0]
  const last = values.at(-1)
  if (first === undefined || last === undefined) {
    return null
  }
  return {
    lowest: Math.min(...offered),
    highest: Math.max(...offered),
    first,
    last,
    count: changes.length,
  }
}

/** Draws it into a box. `nowMs` is the right edge, in the server's time. */
export function draw(trail: Trail, nowMs: number, width: number, height: number): Chart {
  const firstMs = trail.changes[0]?.atMs ?? nowMs
  const toMs = Math.max(nowMs, trail.changes.at(-1)?.atMs ?? nowMs)
  const spanMs = Math.max(toMs - firstMs, SPAN_MS_MIN)
  const fromMs = toMs - spanMs * (1 + LEAD)
  const facts = factsOf(trail)
  const highest = facts?.highest ?? 0
  const range = Math.max(highest - (facts?.lowest ?? 0), highest * RANGE_MIN)
  const middle = (highest + (facts?.lowest ?? 0)) / 2
  const x = (ms: number) => round(((ms - fromMs) / (toMs - fromMs)) * width)
  // A price that never moved lies in the middle.
  const y = (value: number) => round(range === 0 ? height / 2 : height / 2 - ((value - middle) / range) * height)

  const steps = [{ atMs: fromMs, value: trail.before }, ...trail.changes]
  let line = ''
  let area = ''
  for (const [place, { atMs, value }] of steps.entries()) {
    if (value === 0) {
      continue
    }
    const [left, right, top] = [x(atMs), x(steps[place + 1]?.atMs ?? toMs), y(value)]
    const continues = place > 0 && steps[place - 1]?.value !== 0
    line += `${continues ? 'L' : 'M'}${left} ${top}H${right}`
    area += `M${left} ${top}H${right}V${height}H${left}Z`
  }
  const last = steps.at(-1)?.value ?? 0
  return { line, area, now: last === 0 ? null : { x: x(toMs), y: y(last) }, fromMs, toMs }
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
