/** How the price of an odd moved (`GET live/history`). */
import type { MatchId, OddId } from '../domain/offer'
import { ApiError, readBody, request } from './request'

/** A price from an instant on, in the server's time; thousandths, 0 is not offered. */
export interface PricePoint {
  readonly atMs: number
  readonly value: number
}

export interface OddHistory {
  /** When the server said it. */
  readonly dateMs: number
  /** The price before the first change; null where there is none. */
  readonly before: number | null
  /** Ascending. */
  readonly changes: readonly PricePoint[]
}

/** Null where the odd is not in the offer. */
export async function fetchHistory(matchId: MatchId, oddId: OddId, signal: AbortSignal): Promise<OddHistory | null> {
  try {
    const answer = await request({
      path: 'live/history',
      query: { eventId: String(matchId), oddId: String(oddId) },
      accept: 'application/json',
      signal,
    })
    return await readBody(answer, (body) => body.json() as Promise<unknown>, readHistory)
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

/** At most three decimals come, which a float times a thousand is nearest to. */
function thousandths(raw: unknown): number {
  return Math.round(number(raw) * 1000)
}
