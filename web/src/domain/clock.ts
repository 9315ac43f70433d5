/**
 * Formats the match clock. A running clock is stored as the server time at which it was zero (docs/protocol.md, key
 * -4), so it needs no further messages. The caller passes the current server time.
 */
import type { Clock, Match } from './offer'

/** The clock format of a sport: the running minute, minutes and seconds, or the time since the start. */
type Style = 'minute' | 'minutesAndSeconds' | 'elapsed'

const STYLES: Readonly<Record<number, Style>> = {
  1: 'minute',
  2: 'minutesAndSeconds',
  4: 'minutesAndSeconds',
  6: 'minute',
  12: 'minute',
  16: 'minutesAndSeconds',
  29: 'minutesAndSeconds',
  117: 'minutesAndSeconds',
}

/** The minutes at which the periods of a sport end. Later minutes are stoppage time. */
const PERIOD_ENDS: Readonly<Record<number, readonly [number, number, number, number]>> = {
  1: [45, 90, 105, 120],
  6: [30, 60, 65, 70],
  12: [40, 80, 90, 100],
}

/** The match statuses that are periods of play, with the index of the period. */
const PERIODS: Readonly<Record<string, 0 | 1 | 2 | 3>> = {
  first_half: 0,
  second_half: 1,
  first_extra: 2,
  second_extra: 3,
}

/** The seconds that a clock shows at a given server time; null for a clock that is a text. */
export function clockSeconds(clock: Clock, serverNowMs: number): number | null {
  switch (clock.kind) {
    case 'running':
      return Math.max(0, Math.floor((serverNowMs - clock.zeroMs) / 1000))
    case 'stopped':
      return clock.seconds
    case 'text':
      return null
  }
}

/** The clock that showed `seconds` at `dateMs` (server time). */
export function readClock(seconds: number, dateMs: number, stopped: boolean): Clock {
  return stopped ? { kind: 'stopped', seconds } : { kind: 'running', zeroMs: dateMs - seconds * 1000 }
}

/** The displayed clock: `67'`, `90+4'`, `06:41`, `2:13 h`, or the text of the feed; null if there is no clock. */
export function clockText(match: Pick<Match, 'sportId' | 'status' | 'clock'>, serverNowMs: number): string | null {
  if (!match.clock) {
    return null
  }
  if (match.clock.kind === 'text') {
    return match.clock.text
  }
  const seconds = Math.max(0, clockSeconds(match.clock, serverNowMs) ?? 0)
  switch (STYLES[match.sportId] ?? 'elapsed') {
    case 'minute':
      return minute(seconds, match)
    case 'minutesAndSeconds':
      return `${twoDigits(Math.floor(seconds / 60))}:${twoDigits(seconds % 60)}`
    case 'elapsed':
      return `${Math.floor(seconds / 3600)}:${twoDigits(Math.floor(seconds / 60) % 60)} h`
  }
}

/** The clock with its seconds where the sport has one, as a tracker shows it: `67:12`, `90+3:05`, `3:20`. */
export function exactClockText(match: Pick<Match, 'sportId' | 'status' | 'clock'>, serverNowMs: number): string | null {
  if (!match.clock || match.clock.kind === 'text' || showsElapsedTime(match.sportId)) {
    return clockText(match, serverNowMs)
  }
  const seconds = Math.max(0, clockSeconds(match.clock, serverNowMs) ?? 0)
  const end = periodEnd(match)
  const exact = (all: number) => `${Math.floor(all / 60)}:${twoDigits(all % 60)}`
  return end !== undefined && seconds >= end * 60 ? `${end}+${exact(seconds - end * 60)}` : exact(seconds)
}

/**
 * The time left of the period, `3:12`, in sports with a clock that counts down: basketball and American football. Null
 * in others, and if the end of the period is unknown, as between two periods. The match clock, in seconds, runs on from
 * period to period.
 */
export function timeLeftText(
  sportId: Match['sportId'],
  end: number | undefined,
  seconds: number | null,
): string | null {
  if (end === undefined || seconds === null || (sportId !== 2 && sportId !== 16)) {
    return null
  }
  const left = Math.max(0, end - seconds)
  return `${Math.floor(left / 60)}:${twoDigits(left % 60)}`
}

/** Whether a sport's clock shows only the time since the start, which does not describe the state of the match. */
export function showsElapsedTime(sportId: Match['sportId']): boolean {
  return (STYLES[sportId] ?? 'elapsed') === 'elapsed'
}

/**
 * The current minute; the first second belongs to minute 1. After the end of its period it is stoppage time. In a break
 * the clock stops at the end of the period.
 */
function minute(seconds: number, { sportId, status }: Pick<Match, 'sportId' | 'status'>): string {
  const ends = PERIOD_ENDS[sportId]
  const end = periodEnd({ sportId, status })
  const running = Math.floor(seconds / 60) + 1
  if (end !== undefined && running > end) {
    return `${end}+${running - end}'`
  }
  const inBreak = !isPeriod(status) && ends?.some((minutes) => minutes * 60 === seconds)
  return `${inBreak ? running - 1 : running}'`
}

/** The minute at which the period that is played ends, in a sport of stoppage time. */
function periodEnd({ sportId, status }: Pick<Match, 'sportId' | 'status'>): number | undefined {
  const period = PERIODS[status ?? '']
  return period === undefined ? undefined : PERIOD_ENDS[sportId]?.[period]
}

function isPeriod(status: Match['status']): boolean {
  return PERIODS[status ?? ''] !== undefined
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}
