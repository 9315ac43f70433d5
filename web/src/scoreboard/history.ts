/** HISTORY of docs/protocol.md: what has happened in a match so far. */
import type { Pair, Side } from '../domain/offer'
import { array, fail, integer, listOf, MalformedError, optional, text } from '../protocol/read'
import { pair } from '../protocol/readEntities'

/** By number, from 1 on. */
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
  /** Of the match's clock. */
  readonly seconds: number | null
  readonly status: string | null
  /** After a goal. */
  readonly score: Pair | null
  readonly player: string | null
}

export interface History {
  readonly incidents: readonly Incident[]
  /** By minute, from the first one on: above 0 home pressed. */
  readonly pressure: readonly number[]
  /** By a ball's action: how often it was seen. */
  readonly counts: readonly Pair[]
}

export const NO_HISTORY: History = { incidents: [], pressure: [], counts: [] }

/** More than the server ever sends. */
const INCIDENTS_MAX = 200
const MINUTES_MAX = 130
const COUNTS_MAX = 20

/** An incident of a later version says nothing to this one; what is no history at all is none. */
export function readHistory(raw: unknown): History {
  if (raw === null || raw === undefined) {
    return NO_HISTORY
  }
  try {
    const [incidents, pressure, counts] = array(raw)
    return {
      incidents: array(incidents).slice(-INCIDENTS_MAX).flatMap(readIncident),
      pressure: listOf(integer)(pressure).slice(0, MINUTES_MAX),
      counts: listOf(pair)(counts).slice(0, COUNTS_MAX),
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
