/** The calls for the media of a match (CONTRACT 2): its scoreboard and its stream. */
import type { MatchId } from '../domain/offer'
import { ApiError, json, readBody, request } from './request'

/** The address of the scoreboard's page; null if there is none (404). */
export async function fetchScoreboard(id: MatchId, signal?: AbortSignal): Promise<URL | null> {
  try {
    return await address('live/scoreboard', id, signal)
  } catch (error) {
    if (error instanceof ApiError && error.failure === 'notFound') {
      return null
    }
    throw error
  }
}

/** The address of the stream; null if there is none (204). */
export function fetchStream(id: MatchId, signal?: AbortSignal): Promise<URL | null> {
  return address('live/stream', id, signal)
}

async function address(path: string, id: MatchId, signal?: AbortSignal): Promise<URL | null> {
  const query = { eventId: String(id) }
  const answer = await request({ path, query, accept: 'application/json', ...(signal && { signal }) })
  return answer.status === 204 ? null : readBody(answer, json, readAddress)
}

/** Accepts only an address on this server, or an https address on another one. Throws for any other. */
export function readAddress(raw: unknown, base: string = location.href): URL {
  const { data } = raw as { data?: unknown }
  if (typeof data !== 'string') {
    throw new TypeError('no address')
  }
  const url = new URL(data, base)
  if (url.origin !== new URL(base).origin && url.protocol !== 'https:') {
    throw new TypeError('not an address of a page')
  }
  return url
}
