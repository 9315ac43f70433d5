/**
 * Decodes hub frames. Both encodings, msgpack and JSON, are first parsed to the same values. Messages are read from
 * those. A malformed message is skipped and counted; the next change of its match then reveals the gap and causes a
 * resync.
 */
import type { Side } from '../domain/offer'
import type { FeedState, HubMessage } from './frames'
import { decodeMsgpack } from './msgpack'
import { array, fail, id, instant, integer, listOf, MalformedError, optional, record, text, textOrNumber } from './read'
import { readChange } from './readChange'
import { readBall, readMarket, readMatch, readSportMessage } from './readEntities'
import { readTicket } from './readTicket'

export interface DecodedFrame {
  readonly messages: readonly HubMessage[]
  /** How many messages of a known kind were malformed. */
  readonly malformed: number
}

/** The messages of a frame: bytes are msgpack, a string is JSON. Throws if it is not a frame. */
export function decodeFrame(data: ArrayBuffer | string): DecodedFrame {
  return readFrame(typeof data === 'string' ? JSON.parse(data) : decodeMsgpack(data))
}

/** The messages of a frame that is already parsed. Throws `MalformedError` if it is not an array. */
export function readFrame(frame: unknown): DecodedFrame {
  const messages: HubMessage[] = []
  let malformed = 0
  for (const raw of array(frame)) {
    try {
      const message = readMessage(array(raw))
      if (message) {
        messages.push(message)
      }
    } catch (error) {
      if (!(error instanceof MalformedError)) {
        throw error
      }
      malformed += 1
    }
  }
  return { messages, malformed }
}

/** One message; null if its kind comes from a later version. Throws `MalformedError`. */
function readMessage(raw: readonly unknown[]): HubMessage | null {
  switch (raw[0]) {
    case 0:
      return {
        kind: 'hello',
        session: textOrNumber(raw[1]) ?? '',
        serverTimeMs: instant(raw[2]),
        feed: feedState(raw[3]),
        version: textOrNumber(raw[4]) ?? '',
        run: textOrNumber(raw[5]) ?? '',
      }
    case 1:
      return raw[2] === null || raw[2] === undefined
        ? { kind: 'ack', n: id(raw[1]) }
        : { kind: 'error', n: optional(id)(raw[1]), code: text(raw[2]), text: optional(text)(raw[3]) ?? '' }
    case 2:
      return { kind: 'feed', feed: feedState(raw[1]) }
    case 3:
      return { kind: 'match', match: readMatch(array(raw[1]), instant(raw[2])) }
    case 4:
    case 5:
      return {
        kind: raw[0] === 4 ? 'rowChange' : 'detailChange',
        matchId: id(raw[1]),
        follows: id(raw[2]),
        change: readChange(raw.slice(3)),
      }
    case 6:
      return { kind: 'matchDeleted', matchId: id(raw[1]) }
    case 7:
      return { kind: 'sport', ...readSportMessage(array(raw[1])) }
    case 8:
      return { kind: 'sportRemoved', sportId: id(raw[1]) }
    case 9:
      return { kind: 'goal', matchId: id(raw[1]), side: side(raw[2]) }
    case 10:
      return {
        kind: 'detail',
        matchId: id(raw[1]),
        revision: id(raw[2]),
        layout: listOf(id)(raw[3]),
        markets: listOf(readMarket)(raw[4]),
        ball: optional(readBall)(raw[5]),
        history: raw[6],
      }
    case 11:
      return { kind: 'sportCheck', sportId: id(raw[1]), matches: id(raw[2]), sum: id(raw[3]) }
    case 12:
      return { kind: 'matchCheck', matchId: id(raw[1]), rowRevision: id(raw[2]), detailRevision: id(raw[3]) }
    case 13:
      return { kind: 'date', dateMs: instant(raw[1]) }
    case 14:
      return { kind: 'notice', what: text(raw[1]) }
    case 15:
      return { kind: 'ticket', ticket: readTicket(raw[1]) }
    case 16:
      return { kind: 'favourites', matchIds: listOf(id)(raw[1]) }
    case 17:
      return { kind: 'account', user: raw[1] === null || raw[1] === undefined ? null : text(record(raw[1])['user']) }
    case 18:
    case 19:
    case 20:
    case 21:
    case 22:
    case 23:
    case 24:
    case 25:
      return { kind: 'bets', raw }
    default:
      return null
  }
}

function feedState(raw: unknown): FeedState {
  const states: readonly FeedState[] = ['inactive', 'recovering', 'active']
  return states[integer(raw)] ?? fail('a state of the feed', raw)
}

function side(raw: unknown): Side {
  return raw === 1 || raw === 2 ? raw : fail('a side', raw)
}
