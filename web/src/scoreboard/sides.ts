/** Names and sizes that the frame and the drawings share; the frame loads no drawing for them. */
import type { Pair, Side } from '../domain/offer'

/** The height of the stage by panel width, and the margins of its ground. */
export const STAGE = { 530: { height: 240, x: 14, y: 12 }, 355: { height: 204, x: 10, y: 10 } } as const
export const CHART_HEIGHT = 84

export function nameOf(side: Side | 0): 'home' | 'away' | 'none' {
  return side === 1 ? 'home' : side === 2 ? 'away' : 'none'
}

/** Names for keys and labels: players without initials, a pair by its first player. Whole if they would be the same. */
export function shortNames(names: Pair<string>): Pair<string> {
  const [home, away] = [shortName(names[0]), shortName(names[1])]
  return home === away ? names : [home, away]
}

function shortName(name: string): string {
  // The space after each initial keeps clubs such as D.C. United whole.
  const rest = name.replace(/(,| \/).*$/, '').replace(/^((\p{Lu}|Dž|Lj|Nj)\. )+/u, '')
  return rest === '' ? name : rest.charAt(0).toLocaleUpperCase() + rest.slice(1)
}
