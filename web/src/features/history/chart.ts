/** Draws a price history as a step line, as an SVG path. Pure functions. */
import type { PricePoint } from '../../api/historyApi'

export interface Trail {
  /** The price before the first change. */
  readonly before: number
  readonly changes: readonly PricePoint[]
}

export interface Chart {
  /** The path of the step line. It has a gap while there was no price. */
  readonly line: string
  /** The path of the area below the line. */
  readonly area: string
  /** The end point of the line; null if there is no price now. */
  readonly now: { readonly x: number; readonly y: number } | null
  readonly fromMs: number
  readonly toMs: number
}

export interface Facts {
  readonly lowest: number
  readonly highest: number
  /** The first known price. */
  readonly first: number
  readonly last: number
  readonly count: number
}

/** The part of the width for the price before the first change. */
const LEAD = 0.08
/** The smallest price range of the chart, relative to the price, so that small moves look small. */
const RANGE_MIN = 0.04
/** The shortest time span of the chart. */
const SPAN_MS_MIN = 10_000

/** The key figures of a history; null if there was never a price. */
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

/** Draws the history into a box of the given size. `nowMs` (server time) is the right edge. */
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
  // A price that never moved is drawn in the middle.
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
