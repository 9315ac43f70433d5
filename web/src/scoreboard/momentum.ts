/** The pressure by minute: bars upwards for home, downwards for away. */
import { svg } from './dom'
import type { Texts } from './texts'

const WIDTH = 530
const LEFT = 14
const SPAN = 502
/** The height of the drawing by panel width. The narrow panel has no statistics below it, so there is more room. */
const HEIGHTS = { 530: 46, 355: 76 } as const
/** The margin above and below the tallest bars. */
const EDGE = 4
/** The smallest pressure for a bar of full height, so that a quiet match looks quiet. */
const MOST_AT_LEAST = 16
/** The minutes of a match without extra time. */
const REGULAR = 90
/** The number of newest minutes that are highlighted. */
const NEWEST = 3

export class Momentum {
  readonly root: SVGSVGElement
  readonly #bars: SVGGElement
  readonly #half: SVGGElement
  readonly #texts: Texts
  readonly #middle: number
  #shown: readonly number[] = []

  constructor(texts: Texts, width: 355 | 530) {
    this.#texts = texts
    const height = HEIGHTS[width]
    this.#middle = height / 2
    this.#bars = svg('g')
    this.#half = svg('g', { class: 'half' })
    this.root = svg(
      'svg',
      { class: 'momentum', viewBox: `0 0 ${WIDTH} ${height}`, role: 'img', 'aria-label': texts.t('trackerPressure') },
      svg('path', { class: 'axis', d: `M${LEFT} ${this.#middle}h${SPAN}` }),
      this.#bars,
      this.#half,
    )
  }

  show(pressure: readonly number[]): void {
    if (pressure === this.#shown) {
      return
    }
    this.#shown = pressure
    const step = SPAN / Math.max(REGULAR, pressure.length)
    const most = pressure.reduce((highest, value) => Math.max(highest, Math.abs(value)), MOST_AT_LEAST)
    const middle = this.#middle
    const bars = pressure.flatMap((value, minute): SVGElement[] => {
      if (value === 0) {
        return []
      }
      const height = Math.max(2, (Math.abs(value) / most) * (middle - EDGE))
      const side = value > 0 ? 'home' : 'away'
      return [
        svg('rect', {
          class: minute >= pressure.length - NEWEST ? `${side} new` : side,
          x: (LEFT + minute * step).toFixed(1),
          y: (value > 0 ? middle - height : middle + 0.5).toFixed(1),
          width: (step * 0.74).toFixed(2),
          height: height.toFixed(1),
          rx: Math.min(1.5, step * 0.3).toFixed(1),
        }),
      ]
    })
    this.#bars.replaceChildren(...bars)
    const x = LEFT + 45 * step
    const isPast = pressure.length > 45
    this.#half.replaceChildren(
      ...(isPast
        ? [
            svg('path', { d: `M${x} 3v${2 * middle - 6}` }),
            svg('text', { x: x + 4, y: 2 * middle - 2 }, this.#texts.t('halfTimeShort')),
          ]
        : []),
    )
  }
}
