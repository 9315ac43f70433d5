/** Sides that are a player short, and for how long. Pure functions. */
import type { Pair, Side } from '../domain/offer'
import { asSide, type Extras, records } from '../protocol/extras'
import type { Tracked } from './tracked'

export interface Short {
  readonly side: Side
  /** The seconds left; null until the end of the match. */
  readonly left: number | null
}

/** The sides that are short now: the time left counts down with the match clock. */
export function shortsOf(extras: Extras, { historyAt }: Tracked, seconds: number | null): Short[] {
  const gone = Math.max(0, (seconds ?? 0) - (historyAt ?? seconds ?? 0))
  return records(extras.short, 2).flatMap(([number, left = -1]): Short[] => {
    const side = asSide(number)
    if (side === 0 || (left >= 0 && left <= gone)) {
      return []
    }
    return [{ side, left: left < 0 ? null : left - gone }]
  })
}

export function minutes(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`
}

const SKATERS = 5
const SKATERS_MIN = 3

/** The players of home and away in ice hockey; null outside of the regular periods, which begin with five each. */
export function skatersOf(shorts: readonly Short[], status: string | null): Pair | null {
  const left = (side: Side) => Math.max(SKATERS_MIN, SKATERS - shorts.filter((short) => short.side === side).length)
  return /^period_[123]$/.test(status ?? '') ? [left(1), left(2)] : null
}
