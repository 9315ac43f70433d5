/** Handicaps among the lines of markets (`sbv`). A line is that of the home side. */
import { formatSbv } from './columns'

const SIDES: ReadonlySet<string> = new Set(['1', 'X', '2'])

/**
 * Whether a line is a handicap: goals (`0:1`), a number with a sign, or a fraction with the sides as outcomes. A whole
 * number with the sides is the number of a goal, a frame or a quarter.
 */
export function isHandicap(sbv: string, outcomes: readonly string[]): boolean {
  return /^[+-]|^\d+:\d+$/.test(sbv) || (/^\d+\.\d/.test(sbv) && outcomes.every((outcome) => SIDES.has(outcome)))
}

/** With its sign: the feed sends none for a lead of the home side. */
export function signedHandicap(sbv: string): string {
  return formatSbv('{+sbv}', sbv)
}

/** The handicap as the away side has it. A lead in goals has both sides. */
export function awayHandicap(sbv: string): string {
  const amount = sbv.replace(/^[+-]/, '')
  return sbv.includes(':') || Number(sbv) === 0 ? amount : `${sbv.startsWith('-') ? '+' : '-'}${amount}`
}
