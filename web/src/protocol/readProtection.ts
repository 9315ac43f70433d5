/** Reads what protects the bettor: the status of the user, and the hub's kinds 24 and 25. It loads later. */
import type { Exclusion } from '../domain/exclusion'
import type { SessionEnd } from '../domain/sessionEnd'
import { instant, MalformedError, optional, type Reader, record, text } from './read'
import { readCheck } from './readRealityCheck'

/** The kinds of the messages. */
export const SESSION_END = 24
export const ACCOUNT_CHANGED = 25

export interface ProtectionStatus {
  readonly exclusion: Exclusion | null
  /** When the login ends by the limit of its session; null without a limit. */
  readonly sessionEndsAt: number | null
}

const UNPROTECTED: ProtectionStatus = { exclusion: null, sessionEndsAt: null }

export const readExclusion: Reader<Exclusion> = (raw) => {
  const { kind, until } = record(raw)
  return { kind: text(kind), until: optional(instant)(until) }
}

/** The protection in an answer of `live/user-status`. None if the answer is malformed: the server enforces it anyway. */
export function readStatus(raw: unknown): ProtectionStatus {
  return (
    unlessMalformed(() => {
      const { exclusion, sessionEndsAt } = record(raw)
      return { exclusion: optional(readExclusion)(exclusion), sessionEndsAt: optional(instant)(sessionEndsAt) }
    }) ?? UNPROTECTED
  )
}

/** The end in a message of kind 24; undefined if the message is malformed. */
export function readSessionEnd(raw: readonly unknown[]): SessionEnd | undefined {
  return unlessMalformed(() => ({ endsAt: instant(record(raw[1])['endsAt']), sums: readCheck(raw[1]) }))
}

function unlessMalformed<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof MalformedError) {
      return undefined
    }
    throw error
  }
}
