/** Draws the playing area of all sports from above; home is on the left. Soccer with a ball uses `pitch.ts`. */
import type { Ground } from './boards'
import { set, svg } from './dom'

const WIDTH = 530
const HEIGHT = 218

/** The lines of each playing area, as SVG paths. */
const LINES: Readonly<Record<Ground, string>> = {
  pitch: '',
  grass: 'M14 14h502v190H14zM265 14v190M14 56h74v106H14M516 56h-74v106h74M14 84h28v50H14M516 84h-28v50h28',
  field: 'M40 24h450v170H40zM265 24v170',
  court: 'M60 30h410v158H60zM60 50h410M60 168h410M155 50v118M375 50v118M155 109h220M265 18v182',
  hall: 'M80 34h370v150H80zM265 20v178M203 34v150M327 34v150',
  sand: 'M90 34h350v150H90zM265 20v178',
  table: 'M95 40h340v138H95zM95 109h340M265 28v162',
  baize: 'M60 28h410v162H60zM150 28v162M150 83a26 26 0 000 52',
  oval: 'M265 22c124 0 214 38 214 87s-90 87-214 87S51 158 51 109s90-87 214-87zM215 97h100v24H215zM228 97v24M302 97v24',
  squash: 'M150 28h230v162H150zM240 28v162M240 109h140M380 75h-48v68h48',
  dartboard: '',
  cage: 'M205 20h120l85 62v54l-85 62H205l-85-62V82z',
}

const POCKETS = [
  [60, 28],
  [265, 26],
  [470, 28],
  [60, 190],
  [265, 192],
  [470, 190],
] as const

/** The x position of the mark for the serving side. */
const STANDS: Readonly<Record<1 | 2, number>> = { 1: 42, 2: 488 }

/** Shows the playing area. A soccer pitch without ball positions is shown as grass. */
export class GroundView {
  readonly root: SVGSVGElement
  readonly #server: SVGCircleElement

  constructor(ground: Ground) {
    this.#server = svg('circle', { class: 'server', r: 6, cy: 176, cx: -99 })
    this.root = svg(
      'svg',
      { class: `ground ${ground}`, viewBox: `0 0 ${WIDTH} ${HEIGHT}`, 'aria-hidden': 'true' },
      svg('g', { class: 'lines' }, LINES[ground] && svg('path', { d: LINES[ground] }), ...more(ground)),
      this.#server,
    )
  }

  show(serving: number | null): void {
    set(this.#server, 'cx', String(serving === 1 || serving === 2 ? STANDS[serving] : -99))
  }
}

function more(ground: Ground): SVGElement[] {
  switch (ground) {
    case 'baize':
      return POCKETS.map(([cx, cy]) => svg('circle', { cx, cy, r: 7 }))
    case 'dartboard':
      return [92, 84, 56, 49, 14, 6].map((r) => svg('circle', { cx: 265, cy: 109, r }))
    default:
      return []
  }
}
