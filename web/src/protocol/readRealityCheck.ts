/** Reads the reality check (kind 23). It loads after the first paint. */
import type { RealityCheck } from '../domain/realityCheck'
import { decimal, integer, MalformedError, optional, type Reader, record } from './read'

/** The kind of its message. */
export const REALITY_CHECK = 23

export const readCheck: Reader<RealityCheck> = (raw) => {
  const { time, staked, returned } = record(raw)
  return { timeMs: integer(time), staked: decimal(staked), returned: decimal(returned) }
}

/** The check; null if it was answered; undefined if the message is malformed. */
export function readRealityCheck(raw: readonly unknown[]): RealityCheck | null | undefined {
  try {
    return optional(readCheck)(raw[1])
  } catch (error) {
    if (error instanceof MalformedError) {
      return undefined
    }
    throw error
  }
}
