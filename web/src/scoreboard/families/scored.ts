/** What lights up after a score, by its way: the arc, the in-goal, the posts. And the words of the ways. */
import type { Side } from '../../domain/offer'
import type { TranslationKey } from '../../i18n/keys'
import { svg } from '../dom'
import type { Drawing } from '../family'
import type { ScoreStep } from '../seen'
import { nameOf } from '../sides'
import { badge, type Canvas, type Spot, scoredAt, short, zone } from '../stage'
import { WAY } from './course'

export const WAY_WORDS: Readonly<Record<number, TranslationKey>> = {
  [WAY.try]: 'trackerTry',
  [WAY.conversion]: 'trackerConversion',
  [WAY.penalty]: 'trackerPenaltyKick',
  [WAY.dropGoal]: 'trackerDropGoal',
  [WAY.touchdown]: 'trackerTouchdown',
  [WAY.extraPoint]: 'trackerExtraPoint',
  [WAY.fieldGoal]: 'trackerFieldGoal',
  [WAY.safety]: 'trackerSafety',
}

/** The ways with words that are too long for the narrow panel. */
export const WAY_SHORT: Readonly<Record<number, TranslationKey>> = {
  [WAY.touchdown]: 'trackerTouchdownShort',
  [WAY.fieldGoal]: 'trackerFieldGoalShort',
}

/** Where a score of the home side lights up, in units of the ground. */
export interface Lamp {
  readonly at: Spot
  readonly length: number
  readonly r: number | null
  readonly badge: Spot | null
}

const RUGBY_GOAL = ['M1000 0H1100V700H1000z', 'M-100 0H0V700H-100z'] as const
const END_ZONE = ['M1100 0H1200V533.3H1100z', 'M0 0H100V533.3H0z'] as const
const ARC = ['M2800 90H2501A675 675 0 0 0 2501 1410H2800', 'M0 90H299A675 675 0 0 1 299 1410H0'] as const
const THROW_LINE = ['M2220 505V995', 'M580 505V995'] as const

/** The zone of a way, and the points of a kick through the posts, as the home side scores it. */
const ZONES: Readonly<Record<number, readonly [home: string, away: string]>> = {
  [WAY.try]: RUGBY_GOAL,
  [WAY.touchdown]: END_ZONE,
  [WAY.safety]: END_ZONE,
}
const LINES: Readonly<Record<number, readonly [home: string, away: string]>> = {
  [WAY.three]: ARC,
  [WAY.freeThrow]: THROW_LINE,
}
const POSTS: Readonly<Record<number, { readonly at: Spot; readonly badge: Spot }>> = {
  [WAY.conversion]: { at: [1000, 350], badge: [1058, 350] },
  [WAY.penalty]: { at: [1000, 350], badge: [1058, 350] },
  [WAY.dropGoal]: { at: [1000, 350], badge: [1058, 350] },
  [WAY.extraPoint]: { at: [1206, 266], badge: [1085, 266] },
  [WAY.fieldGoal]: { at: [1206, 266], badge: [1085, 266] },
}

/** The light of a score; several that came together have neither number nor way. */
export function lampOf({ side, gain, atMs }: ScoreStep, lamp: Lamp, gainMax: number, way: number): Drawing<Canvas> {
  const mirrored = ([u, v]: Spot): Spot => (side === 1 ? [u, v] : [lamp.length - u, v])
  const isPlain = gain <= gainMax
  const index = side === 1 ? 0 : 1
  const lit = isPlain ? ZONES[way] : undefined
  const line = isPlain ? LINES[way] : undefined
  const posts = isPlain ? POSTS[way] : undefined
  const plate = posts?.badge ?? lamp.badge
  return {
    key: `${side} ${gain} ${atMs} ${way}`,
    draw: (c) => [
      ...(lit ? [zone(c, side, lit[index], 0.42)] : []),
      ...(line ? [outline(c, side, line[index])] : []),
      ...(lamp.r === null ? [] : [scoredAt(c, side, mirrored(lamp.at), lamp.r)]),
      ...(posts ? [scoredAt(c, side, mirrored(posts.at), 8)] : []),
      ...(plate && isPlain ? [badge(c, mirrored(plate), side, `+${gain}`)] : []),
    ],
  }
}

/** A line of the ground in the colour of a side. */
function outline(c: Canvas, side: Side, d: string): SVGElement {
  const [x, y] = c.at(0, 0)
  return svg('path', {
    class: `${nameOf(side)}-line`,
    'stroke-width': 2.4,
    'vector-effect': 'non-scaling-stroke',
    transform: `translate(${short(x)} ${short(y)}) scale(${c.scale.toFixed(5)})`,
    d,
  })
}
