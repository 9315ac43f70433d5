/** Handicaps among the lines of markets (`sbv`). A line is that of the home side. */
import { readableLine, signedLine } from './columns'

/** What of a market shows whether its line is a handicap. */
export interface Lined {
  readonly marketType: number | null
  readonly sbv: string | null
}

/** An odd of it, with its displayed name. */
export interface Outcome {
  readonly type: string | null
  readonly name: string
}

const SIDES: ReadonlySet<string> = new Set(['1', 'X', '2'])
/** kvota's type of the handicap of a match, in all sports. Its lines may be whole. */
const HANDICAP = 9
/** A provider's outcome ids of all its handicaps. */
const HANDICAP_IDS: ReadonlySet<string> = new Set(['1714', '1715'])

/**
 * Whether a line is a handicap: goals (`0:1`), a number with a sign, a fraction with the sides as outcomes, or a number
 * in a market that is known as one. Any other whole number with the sides is the number of a goal, a frame or a quarter.
 */
export function isHandicap({ marketType, sbv }: Lined, outcomes: readonly Outcome[]): boolean {
  if (sbv === null || /^[+-]|^\d+:\d+$/.test(sbv)) {
    return sbv !== null
  }
  const isSides = (marketType === HANDICAP ? /^\d+(\.\d+)?$/ : /^\d+\.\d/).test(sbv)
  return (isSides && outcomes.every(({ name }) => SIDES.has(name))) || (/^\d/.test(sbv) && outcomes.some(isOfHandicap))
}

/** Without a short label, a provider's names have the handicap of the side: `Ajax (-1.5)`. */
function isOfHandicap({ type, name }: Outcome): boolean {
  return HANDICAP_IDS.has(type ?? '') || / \([+-]\d[\d.]*\)$/.test(name)
}

/**
 * The line as it is shown: a handicap has its sign, which the feed does not send for a lead. Empty if there is nothing
 * that a bettor can read.
 */
export function lineText({ marketType, sbv }: Lined, outcomes: readonly Outcome[]): string {
  const line = readableLine(sbv)
  return isHandicap({ marketType, sbv: line }, outcomes) ? signedLine(line) : line
}

/** The handicap as the away side has it. A lead in goals has both sides. */
export function awayHandicap(sbv: string): string {
  const amount = sbv.replace(/^[+-]/, '')
  return sbv.includes(':') || Number(sbv) === 0 ? amount : `${sbv.startsWith('-') ? '+' : '-'}${amount}`
}
