/** Which events of a match an alert is given for. */
import { isBeforeKickOff } from '../../domain/kickOff'
import type { Match, SportId } from '../../domain/offer'
import { isPart, isPartOver } from '../../domain/parts'
import type { AlertKind } from '../../platform/alerts/alertsSlice'
import { scoreLayout } from '../../platform/offer/scoreLayout'

/** The facts that the events are found by. */
export interface Seen {
  readonly status: string | null
  readonly redCards: number
}

export function seenOf({ status, redCards }: Match): Seen {
  return { status, redCards: (redCards?.[0] ?? 0) + (redCards?.[1] ?? 0) }
}

/** Whether an event has happened since a match was last seen. Goals are messages of their own. */
export function happened(kind: AlertKind, before: Seen, match: Match): boolean {
  const { status, redCards } = seenOf(match)
  switch (kind) {
    case 'kickOff':
      return isBeforeKickOff({ ...match, status: before.status }) && isPart(status)
    case 'period':
      return isPartOver(before.status, status)
    case 'redCard':
      return redCards > before.redCards
    case 'goal':
      return false
  }
}

const SOCCER = 1
/** Sports that are played in sets. */
const SETS: ReadonlySet<SportId> = new Set([5, 20, 23, 31, 34, 37])

/** The kinds that a match can have: only soccer has goal messages. */
export function kindsOf(match: Match): readonly AlertKind[] {
  const isSoccer = match.sportId === SOCCER
  return [
    ...(isBeforeKickOff(match) ? ['kickOff' as const] : []),
    ...(isSoccer ? ['goal' as const] : []),
    ...(scoreLayout(match.sportId).cards ? ['redCard' as const] : []),
    'period',
  ]
}

/** The translation key of an event. */
export function alertName(kind: AlertKind, sportId: SportId) {
  switch (kind) {
    case 'kickOff':
      return 'alertKickOff'
    case 'goal':
      return 'alertGoal'
    case 'redCard':
      return 'alertRedCard'
    case 'period':
      return SETS.has(sportId) ? 'alertSet' : 'alertPeriod'
  }
}
