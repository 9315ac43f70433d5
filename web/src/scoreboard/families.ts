/** Which family each sport belongs to. Each family is a chunk of its own, and so is each ground. */
import type { Width } from './address'
import type { Family, MakeFamily } from './family'
import type { Stage } from './stage'

interface Loaded {
  readonly makeFamily: MakeFamily
}

const soccer = () => import('./families/soccer')
const difference = () => import('./families/difference')
const sheet = () => import('./families/sheet')

const FAMILIES: Readonly<Record<number, () => Promise<Loaded>>> = {
  1: soccer,
  2: difference,
  3: () => import('./families/baseball'),
  4: difference,
  5: () => import('./families/tennis'),
  6: difference,
  12: difference,
  16: difference,
  19: () => import('./families/snooker'),
  20: sheet,
  21: () => import('./families/cricket'),
  22: () => import('./families/darts'),
  23: sheet,
  29: difference,
  31: sheet,
  34: sheet,
  37: sheet,
  117: () => import('./families/mma'),
}

/** Whether a sport has a drawing of its own. */
export function hasFamily(sportId: number): boolean {
  return FAMILIES[sportId] !== undefined
}

/** Loads the drawing of a sport with its ground; null for a sport without one. */
export async function loadFamily(sportId: number, width: Width): Promise<{ family: Family; stage: Stage } | null> {
  const load = FAMILIES[sportId]
  if (!load) {
    return null
  }
  const [{ makeFamily }, { placeGround }] = await Promise.all([load(), import('./stage')])
  const family = makeFamily(sportId)
  return { family, stage: placeGround((await family.ground()).default, width, family.foot) }
}
