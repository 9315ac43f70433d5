/** What the next point decides, by the rules of sports that are counted in points. Pure functions. */
import type { Pair, Side, SportId } from './offer'

export interface SetRule {
  /** The points of a set, and of the set with this number. */
  readonly target: number
  readonly last?: { readonly set: number; readonly target: number }
  /** The points that win a set whatever the difference. */
  readonly most?: number
}

/** Table tennis, volleyball, badminton, beach volleyball, squash. */
export const SET_RULES = {
  20: { target: 11 },
  23: { target: 25, last: { set: 5, target: 15 } },
  31: { target: 21, most: 30 },
  34: { target: 21, last: { set: 3, target: 15 } },
  37: { target: 11 },
} as const satisfies Readonly<Record<SportId, SetRule>>

export function setRule(sportId: SportId): SetRule | undefined {
  return (SET_RULES as Readonly<Record<SportId, SetRule>>)[sportId]
}

export function targetOf({ last, target }: SetRule, index: number): number {
  return last?.set === index + 1 ? last.target : target
}

/** Whether a set is won with so many points of one's own and of the other side. */
export function isSetWon(own: number, other: number, target: number, most = Number.POSITIVE_INFINITY): boolean {
  return own >= most || (own >= target && own - other >= 2)
}

export const GAME_POINTS = ['0', '15', '30', '40']
export const ADVANTAGE = GAME_POINTS.length

/** The number of points in a game of tennis: `AD` and `A` are an advantage. Below 0 for any other text. */
export function gamePoints(text: string, isTiebreak: boolean): number {
  if (isTiebreak) {
    return /^\d{1,3}$/.test(text) ? Number(text) : -1
  }
  return text === 'AD' || text === 'A' ? ADVANTAGE : GAME_POINTS.indexOf(text)
}

/** Whether the receiver wins the game with the next point. */
export function isBreakPoint(game: Pair<string>, server: Side): boolean {
  const [home, away] = [gamePoints(game[0], false), gamePoints(game[1], false)]
  const [own, other] = server === 1 ? [home, away] : [away, home]
  return other === ADVANTAGE || (other === ADVANTAGE - 1 && own >= 0 && own < other)
}
