/** The price history of an odd (`GET live/history`). */
import type { MatchId, OddId } from '../domain/offer'
import { ApiError, json, readBody, request } from './request'

/** A price that is valid from a moment of the server's time on. In thousandths; 0 means not offered. */
export interface PricePoint {
  readonly atMs: number
  readonly value: number
}

export interface OddHistory {
  /** When the server answered. */
  readonly dateMs: number
  /** The price before the first change; null if there is none. */
  readonly before: number | null
  /** In ascending order of time. */
  readonly changes: readonly PricePoint[]
}

/** The history of an odd; null if the odd is not in the offer. Rejects with `ApiError`. */
export async function fetchHistory(matchId: MatchId, oddId: OddId, signal: AbortSignal): Promise<OddHistory | null> {
  try {
    const answer = await request({
      path: 'live/history',
      query: { eventId: String(matchId), oddId: String(oddId) },
      accept: 'application/json',
      signal,
    })
    return await readBody(answer, json, readHistory)
  } catch (error) {
    if (error instanceof ApiError && error.failure === 'notFound') {
      return null
    }
    throw error
  }
}

export function readHistory(raw: unknown): OddHistory {
  const { date, before, changes } = raw as Record<string, unknown>
  if (!Array.isArray(changes)) {
    throw new TypeError('not a list of changes')
  }
  return {
    dateMs: number(date),
    before: before === null ? null : thousandths(before),
    changes: changes.map((change: unknown) => {
      const [atMs, value] = change as [unknown, unknown]
      return { atMs: number(atMs), value: thousandths(value) }
    }),
  }
}

function number(raw: unknown): number {
  if (typeof raw !== 'number' || !Number.isFinite(raw)) {
    throw new TypeError('not a number')
  }
  return raw
}

/** The server sends at most three decimals, so multiplying the float and rounding is exact. */
function thousandths(raw: unknown): number {
  return Math.round(number(raw) * 1000)
}
