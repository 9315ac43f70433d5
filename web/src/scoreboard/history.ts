/** Reads HISTORY (docs/protocol.md): the events of a match so far. */
import type { Pair, Side } from '../domain/offer'
import { type Extras, readExtras } from '../protocol/extras'
import { array, fail, integer, listOf, MalformedError, optional, text } from '../protocol/read'
import { pair } from '../protocol/readEntities'

/** Incident kinds; the protocol numbers them from 1. */
export const INCIDENTS = [
  'goal',
  'ownGoal',
  'penalty',
  'penaltyMissed',
  'yellow',
  'red',
  'corner',
  'kickScored',
  'kickMissed',
] as const
export type IncidentKind = (typeof INCIDENTS)[number]

export interface Incident {
  readonly kind: IncidentKind
  readonly side: Side
  /** Seconds of the match clock. */
  readonly seconds: number | null
  readonly status: string | null
  /** The score after a goal. */
  readonly score: Pair | null
  readonly player: string | null
}

export interface History {
  readonly incidents: readonly Incident[]
  /** By minute, from the first: positive means pressure by home, negative by away. */
  readonly pressure: readonly number[]
  /** How often each ball action was seen, by action number. */
  readonly counts: readonly Pair[]
  /** What the tracker of one sport shows beyond that. */
  readonly extras?: Extras
}

export const NO_HISTORY: History = { incidents: [], pressure: [], counts: [] }

/** The most incidents that are read; the server sends fewer. */
const INCIDENTS_MAX = 200
const MINUTES_MAX = 130
const COUNTS_MAX = 20

/** Reads a history. Incidents of a later version are skipped; invalid input gives an empty history. */
export function readHistory(raw: unknown): History {
  if (raw === null || raw === undefined) {
    return NO_HISTORY
  }
  try {
    const [incidents, pressure, counts, facts] = array(raw)
    return {
      incidents: array(incidents).slice(-INCIDENTS_MAX).flatMap(readIncident),
      pressure: listOf(integer)(pressure).slice(0, MINUTES_MAX),
      counts: listOf(pair)(counts).slice(0, COUNTS_MAX),
      ...(facts !== undefined && { extras: readExtras(facts) }),
    }
  } catch (error) {
    if (error instanceof MalformedError) {
      return NO_HISTORY
    }
    throw error
  }
}

function readIncident(raw: unknown): Incident[] {
  const [number, side, seconds, status, score, player] = array(raw)
  const kind = INCIDENTS[integer(number) - 1]
  if (!kind) {
    return []
  }
  return [
    {
      kind,
      side: side === 1 || side === 2 ? side : fail('a side', side),
      seconds: optional(integer)(seconds),
      status: optional(text)(status),
      score: optional(pair)(score),
      player: optional(text)(player),
    },
  ]
}

export function isGoal(kind: IncidentKind): boolean {
  return kind === 'goal' || kind === 'ownGoal' || kind === 'penalty' || kind === 'kickScored'
}
