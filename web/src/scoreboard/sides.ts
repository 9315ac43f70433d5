/** Names and sizes that the frame and the drawings share; the frame loads no drawing for them. */
import type { Side } from '../domain/offer'

/** The height of the stage by panel width, and the margins of its ground. */
export const STAGE = { 530: { height: 240, x: 14, y: 12 }, 355: { height: 204, x: 10, y: 10 } } as const
export const CHART_HEIGHT = 84

export function nameOf(side: Side | 0): 'home' | 'away' | 'none' {
  return side === 1 ? 'home' : side === 2 ? 'away' : 'none'
}
