/** Reads the summary that our own scoreboard page posts to this page. The message is untrusted input. */
import type { MatchId } from '../../domain/offer'
import { array, integer, oneOf, optional, record, text } from '../../protocol/read'

export interface Bar {
  readonly label: string
  readonly figures: readonly [home: string, away: string]
  /** The share of the home side, 0 to 1. */
  readonly share: number
}

export interface Line {
  readonly when: string | null
  readonly mark: 'goal' | 'missed' | 'yellow' | 'red' | 'corner' | 'part'
  /** The meaning of the mark as text. */
  readonly kind: string
  readonly side: 0 | 1 | 2
  readonly text: string
  readonly detail: string
}

export interface Summary {
  /** The title of the scoreboard's first tab. */
  readonly field: string
  readonly bars: readonly Bar[]
  readonly lines: readonly Line[]
}

const BARS_MAX = 40
const LINES_MAX = 200
const TEXT_MAX = 300

/** The summary; null if it is not a valid summary of this match. */
export function readSummary(raw: unknown, matchId: MatchId): Summary | null {
  try {
    const told = record(raw)
    if (told['kind'] !== 'kvota-tracker' || told['matchId'] !== matchId) {
      return null
    }
    return {
      field: short(told['field']),
      bars: array(told['bars']).slice(0, BARS_MAX).map(readBar),
      lines: array(told['lines']).slice(0, LINES_MAX).map(readLine),
    }
  } catch {
    return null
  }
}

function readBar(raw: unknown): Bar {
  const bar = record(raw)
  const [home, away] = array(bar['figures'])
  const share = Number(bar['share'])
  return {
    label: short(bar['label']),
    figures: [short(home), short(away)],
    share: share >= 0 && share <= 1 ? share : 0.5,
  }
}

function readLine(raw: unknown): Line {
  const line = record(raw)
  return {
    when: optional(short)(line['when']),
    mark: oneOf('goal', 'missed', 'yellow', 'red', 'corner', 'part')(line['mark']),
    kind: short(line['kind']),
    side: oneOf(0, 1, 2)(integer(line['side'])),
    text: short(line['text']),
    detail: short(line['detail']),
  }
}

function short(raw: unknown): string {
  return text(raw).slice(0, TEXT_MAX)
}
