/** When a match starts. The feed sends the kick-off as the text of the clock, if at all: `20:30`, in local time. */
import type { Match } from './offer'

type Facts = Pick<Match, 'status' | 'clock'>

const NOT_STARTED: ReadonlySet<string> = new Set(['not_started', 'delayed'])
const HOUR = 60
const DAY = 24 * HOUR

export function isBeforeKickOff({ status }: Facts): boolean {
  return NOT_STARTED.has(status ?? '')
}

/** The minute of the day; null if the feed does not send it. */
export function kickOffMinute({ clock }: Pick<Match, 'clock'>): number | null {
  const [, hours, minutes] = (clock?.kind === 'text' && /^(\d{1,2}):(\d\d)$/.exec(clock.text)) || []
  return hours === undefined ? null : Number(hours) * HOUR + Number(minutes)
}

/** Whether a match starts within the next hour. Without a time it does, as the feed announces matches shortly before. */
export function startsSoon(match: Facts, nowMs: number): boolean {
  if (!isBeforeKickOff(match)) {
    return false
  }
  const minute = kickOffMinute(match)
  const now = new Date(nowMs)
  const left = minute === null ? 0 : (minute - now.getHours() * HOUR - now.getMinutes() + DAY) % DAY
  // A match that should have started in the last hours is late.
  return left <= HOUR || left >= DAY / 2
}
