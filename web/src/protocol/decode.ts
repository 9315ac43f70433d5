/**
 * Bytes to messages. Both spellings become the same arrays, and only arrays are read, so what holds for one holds for
 * the other. A message that is not what it should be is left out alone: its match shows the gap by the next change.
 */
import { Decoder } from '@msgpack/msgpack'
import { readClock } from '../domain/clock'
import type {
  Ball,
  Clock,
  ColumnMarket,
  Match,
  Movement,
  Odd,
  Pair,
  PreferredColumn,
  Side,
  Sport,
} from '../domain/offer'
import type {
  FeedState,
  HubMessage,
  MatchFields,
  PartChange,
  ToldMarket,
  ToldMatch,
  ToldOdd,
  ToldOffer,
  ToldSport,
} from './frames'
import { array, bool, id, instant, integer, listOf, MalformedError, optional, pairs, text, textOrNumber } from './read'

/** No length in a message may promise more than this; what does is no message of ours. */
const decoder = new Decoder({
  maxStrLength: 65_536,
  maxBinLength: 0,
  maxArrayLength: 100_000,
  maxMapLength: 0,
  maxExtLength: 0,
})

/** A msgpack body, as arrays. */
export function decodeMsgpack(bytes: ArrayBuffer | Uint8Array): unknown {
  return decoder.decode(bytes)
}

export interface DecodedFrame {
  readonly messages: readonly HubMessage[]
  /** Messages of a known kind that could not be read. */
  readonly malformed: number
}

/** The messages of a frame, given as bytes or, in the JSON spelling, as text. */
export function decodeFrame(data: ArrayBuffer | string): DecodedFrame {
  return readFrame(typeof data === 'string' ? JSON.parse(data) : decodeMsgpack(data))
}

/** The messages of a frame already parsed. */
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

/** One message, or nothing for a kind of a later version. */
function readMessage(raw: readonly unknown[]): HubMessage | null {
  switch (raw[0]) {
    case 0:
      return {
        kind: 'hello',
        session: textOrNumber(raw[1]) ?? '',
        serverTimeMs: instant(raw[2]),
        feed: feedState(raw[3]),
        version: textOrNumber(raw[4]) ?? '',
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
      }
    case 11:
      return { kind: 'sportCheck', sportId: id(raw[1]), matches: id(raw[2]), sum: id(raw[3]) }
    case 12:
      return { kind: 'matchCheck', matchId: id(raw[1]), rowRevision: id(raw[2]), detailRevision: id(raw[3]) }
    case 13:
      return { kind: 'date', dateMs: instant(raw[1]) }
    case 14:
      return { kind: 'notice', what: text(raw[1]) }
    default:
      return null
  }
}

function feedState(raw: unknown): FeedState {
  const states: readonly FeedState[] = ['inactive', 'recovering', 'active']
  return states[integer(raw)] ?? malformed('feed')
}

function malformed(what: string): never {
  throw new MalformedError(what)
}

function side(raw: unknown): Side {
  return raw === 1 || raw === 2 ? raw : malformed('side')
}

/** The offer as `GET live/offer` gives it in msgpack: the feed's array with more behind it. */
export function readOffer(raw: unknown): ToldOffer {
  const [sports, , date] = array(raw)
  const dateMs = optional(instant)(date)
  return {
    dateMs,
    sports: listOf((sport): ToldSport => {
      const fields = array(sport)
      const matches = listOf((match) => readMatch(array(match), dateMs ?? 0))(fields[3] ?? [])
      return { ...readSport(fields), matches }
    })(sports ?? []),
  }
}

function readSportMessage(raw: readonly unknown[]) {
  return { sport: readSport(raw), matchIds: optional(listOf(id))(raw[3]) }
}

function readSport(raw: readonly unknown[]): Sport {
  return {
    id: id(raw[0]),
    name: optional(text)(raw[1]),
    order: optional(integer)(raw[2]) ?? 0,
    preferred: optional(listOf(readColumn))(raw[4]) ?? [],
    selectedPreferred: optional(integer)(raw[5]),
  }
}

function readColumn(raw: unknown): PreferredColumn {
  const [order, name, fields, hidden, markets] = array(raw)
  return {
    order: optional(integer)(order) ?? 0,
    name: optional(text)(name),
    fields: optional(listOf(text))(fields) ?? [],
    hidden: optional(bool)(hidden) ?? false,
    markets: optional(listOf(readColumnMarket))(markets) ?? [],
  }
}

function readColumnMarket(raw: unknown): ColumnMarket {
  const [marketType, status, format] = array(raw)
  return { marketType: integer(marketType), status: optional(text)(status), format: optional(text)(format) }
}

/** The answer of `GET live/match/{id}` in msgpack: the match with all its markets, and the date of its clock. */
export function readMatchAnswer(raw: unknown): ToldMatch {
  const [match, date] = array(raw)
  return readMatch(array(match), instant(date))
}

/** A match; `time` is its clock as of `dateMs`. */
export function readMatch(raw: readonly unknown[], dateMs: number): ToldMatch {
  const clockStopped = optional(bool)(raw[21])
  return {
    id: id(raw[0]),
    status: optional(text)(raw[1]),
    home: optional(text)(raw[2]),
    away: optional(text)(raw[3]),
    betting: optional(bool)(raw[4]) ?? false,
    markets: optional(listOf(readMarket))(raw[6]) ?? [],
    order: optional(integer)(raw[7]) ?? 0,
    score: optional(pair)(raw[8]),
    scores: optional(listOf(pair))(raw[9]) ?? [],
    sportId: id(raw[10]),
    sportName: optional(text)(raw[11]),
    clock: readTime(raw[12], dateMs, clockStopped === true),
    tournament: optional(text)(raw[13]),
    tournamentDescription: optional(text)(raw[14]),
    result: optional(text)(raw[15]),
    performEventId: optional(id)(raw[16]),
    performEventType: optional(text)(raw[17]),
    redCards: optional(pair)(raw[18]),
    yellowCards: optional(pair)(raw[19]),
    corners: optional(pair)(raw[20]),
    clockStopped,
    suspended: optional(bool)(raw[22]),
    playerServing: optional(integer)(raw[23]),
    tiebreak: optional(bool)(raw[24]),
    game: optional(textPair)(raw[25]),
    ball: optional(readBall)(raw[26]),
    numberOfOdds: optional(id)(raw[27]) ?? 0,
    rowRevision: optional(id)(raw[28]) ?? 0,
    detailRevision: optional(id)(raw[29]) ?? 0,
  }
}

/** `time`: seconds as of a date, or a text. */
function readTime(raw: unknown, dateMs: number, stopped: boolean): Clock | null {
  if (raw === null || raw === undefined) {
    return null
  }
  return typeof raw === 'string' ? { kind: 'text', text: raw } : readClock(integer(raw), dateMs, stopped)
}

function readMarket(raw: unknown): ToldMarket {
  const fields = array(raw)
  return {
    id: id(fields[0]),
    name: optional(text)(fields[1]),
    short: optional(text)(fields[2]),
    special: optional(text)(fields[3]),
    sbv: textOrNumber(fields[4]),
    type: optional(integer)(fields[5]) ?? 0,
    subtype: optional(integer)(fields[6]) ?? 0,
    order: optional(integer)(fields[7]) ?? 0,
    odds: optional(listOf(readOdd))(fields[8]) ?? [],
    balanced: optional(bool)(fields[9]),
    description: optional(text)(fields[10]),
    tags: optional(listOf(text))(fields[11]) ?? [],
  }
}

function readOdd(raw: unknown): ToldOdd {
  const fields = array(raw)
  return {
    id: id(fields[0]),
    type: optional(text)(fields[1]),
    value: decimalPrice(fields[2]),
    values: readValues(fields[3]),
    alias: optional(text)(fields[4]),
    changed: optional(movement)(fields[5]) ?? 0,
    description: optional(text)(fields[6]),
  }
}

function readValues(raw: unknown): Odd['values'] {
  return optional(listOf(optional(text)))(raw)
}

function movement(raw: unknown): Movement | 0 {
  return raw === 1 || raw === -1 || raw === 0 ? raw : malformed('changed')
}

/** The highest price, 100,000, in thousandths. */
const MAX_PRICE = 100_000_000

/** A price with decimals, in thousandths; absent is not offered. */
function decimalPrice(raw: unknown): number {
  if (raw === null || raw === undefined) {
    return 0
  }
  return typeof raw === 'number' ? price(Math.round(raw * 1000)) : malformed('value')
}

function price(thousandths: unknown): number {
  const value = id(thousandths)
  return value <= MAX_PRICE ? value : malformed('price')
}

function readBall(raw: unknown): Ball {
  const [x, y, side, action] = array(raw)
  return { x: integer(x), y: integer(y), side: integer(side), action: integer(action) }
}

function pair(raw: unknown): Pair {
  const [home, away] = array(raw)
  return [integer(home), integer(away)]
}

function textPair(raw: unknown): Pair<string> {
  const [home, away] = array(raw)
  return [textOrNumber(home) ?? '', textOrNumber(away) ?? '']
}

/** The pairs of a row or detail change. */
function readChange(raw: readonly unknown[]): PartChange {
  const change: { -readonly [Key in keyof PartChange]: PartChange[Key] } = {
    markets: null,
    prices: [],
    marks: [],
    values: [],
    fields: {},
    layout: null,
    ball: undefined,
  }
  const prices: [number, number][] = []
  for (const [key, value] of pairs(raw)) {
    const number = integer(key)
    if (number >= 0) {
      prices.push([number, price(value)])
      continue
    }
    switch (number) {
      case -20: {
        const [order, told] = array(value)
        change.markets = { order: optional(listOf(id))(order), told: optional(listOf(readMarket))(told) ?? [] }
        break
      }
      case -21:
        change.marks = Array.from(pairs(array(value)), ([place, mark]) => [id(place), movement(mark)] as const)
        break
      case -22:
        change.values = Array.from(pairs(array(value)), ([place, texts]) => [id(place), readValues(texts)] as const)
        break
      case -23:
        change.layout = listOf(id)(value)
        break
      case -24:
        change.ball = optional(readBall)(value)
        break
      default:
        readField(change.fields, number, value)
    }
  }
  change.prices = prices
  return change
}

const readers = {
  [-1]: ['status', optional(text)],
  [-2]: ['score', optional(pair)],
  [-3]: ['scores', listOf(pair)],
  [-4]: ['clock', readClockField],
  [-5]: ['betting', bool],
  [-6]: ['suspended', optional(bool)],
  [-7]: ['redCards', optional(pair)],
  [-8]: ['yellowCards', optional(pair)],
  [-9]: ['corners', optional(pair)],
  [-10]: ['playerServing', optional(integer)],
  [-11]: ['tiebreak', optional(bool)],
  [-12]: ['game', optional(textPair)],
  [-13]: ['numberOfOdds', id],
  [-14]: ['order', integer],
  [-15]: ['clockStopped', optional(bool)],
  [-16]: ['performEventId', optional(id)],
} as const satisfies Readonly<
  Record<
    number,
    { [Field in keyof MatchFields]-?: readonly [Field, (raw: unknown) => Match[Field]] }[keyof MatchFields]
  >
>

/** Keys of a later version say nothing to this one. */
function readField(fields: MatchFields, key: number, raw: unknown): void {
  const reader = (readers as Readonly<Record<number, readonly [string, (raw: unknown) => unknown]>>)[key]
  if (reader) {
    Object.assign(fields, { [reader[0]]: reader[1](raw) })
  }
}

/** The instant at which it stood at zero; or, in an array, the seconds at which it stands; or a text. */
function readClockField(raw: unknown): Match['clock'] {
  if (raw === null || raw === undefined) {
    return null
  }
  if (typeof raw === 'string') {
    return { kind: 'text', text: raw }
  }
  return Array.isArray(raw) ? { kind: 'stopped', seconds: integer(raw[0]) } : { kind: 'running', zeroMs: integer(raw) }
}
