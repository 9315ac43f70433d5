/** The calls of the live offer (CONTRACT 2). They load with the hub client, because the offer follows its hello. */
import type { MatchId } from '../domain/offer'
import type { ToldMatch, ToldOffer } from '../protocol/frames'
import { decodeMsgpack } from '../protocol/msgpack'
import { readMatchAnswer, readOffer } from '../protocol/readEntities'
import { ApiError, readBody, request } from './request'

const bytesOf = (answer: Response) => answer.arrayBuffer()

/** The query of a connection's run. Without it, a node that is one of several sends revisions of 0. */
const ofRun = (run: string | undefined) => (run ? { run } : {})

/** The whole offer, rows only; null if there is none (204). */
export async function fetchOffer(language: string, signal?: AbortSignal, run?: string): Promise<ToldOffer | null> {
  const answer = await request({
    path: 'live/offer',
    query: { view: 'rows', lang: language, ...ofRun(run) },
    accept: 'application/msgpack',
    ...(signal && { signal }),
  })
  return answer.status === 204 ? null : readBody(answer, bytesOf, (bytes) => readOffer(decodeMsgpack(bytes)))
}

/** The offer that `public/early.js` requested before the scripts were loaded. */
export interface EarlyOffer {
  readonly language: string
  /** Null if the call failed or there is no offer. */
  readonly body: Promise<ArrayBuffer | null>
}

/** An older body is fetched again instead. */
const EARLY_AT_MOST_MS = 15_000

/**
 * {@link fetchOffer}, with the early offer as the first answer. That body was made before the hub was watched, so its
 * revisions become 0 and the client requests the base of the changes from the hub (docs/protocol.md, *Starting up*).
 */
export function startingWith(early: EarlyOffer | undefined, fetchLater = fetchOffer, now = () => performance.now()) {
  let unused = early
  return async (language: string, signal?: AbortSignal, run?: string): Promise<ToldOffer | null> => {
    const first = unused
    unused = undefined
    if (first?.language === language && now() < EARLY_AT_MOST_MS) {
      const told = await first.body.then((body) => body && readOffer(decodeMsgpack(body))).catch(() => null)
      if (told) {
        const sports = told.sports.map(({ matches, ...sport }) => ({
          ...sport,
          matches: matches.map((match) => ({ ...match, rowRevision: 0 })),
        }))
        return { ...told, sports }
      }
    }
    return fetchLater(language, signal, run)
  }
}

/** A match with all its markets; null if it is not in the offer (404). */
export async function fetchMatch(
  id: MatchId,
  language: string,
  signal?: AbortSignal,
  run?: string,
): Promise<ToldMatch | null> {
  try {
    const answer = await request({
      path: `live/match/${id}`,
      query: { lang: language, ...ofRun(run) },
      accept: 'application/msgpack',
      ...(signal && { signal }),
    })
    return await readBody(answer, bytesOf, (bytes) => readMatchAnswer(decodeMsgpack(bytes)))
  } catch (error) {
    if (error instanceof ApiError && error.failure === 'notFound') {
      return null
    }
    throw error
  }
}
