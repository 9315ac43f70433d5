/** Reads the entities of docs/protocol.md (sport, match, market, odd …) from their arrays. */
import { readClock } from '../domain/clock'
import type { Ball, Clock, ColumnMarket, Movement, Odd, Pair, PreferredColumn, Sport } from '../domain/offer'
import type { ToldMarket, ToldMatch, ToldOdd, ToldOffer, ToldSport } from './frames'
import { array, bool, fail, id, instant, integer, listOf, optional, text, textOrNumber } from './read'

/** The answer of `GET live/offer` in msgpack. */
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

export function readSportMessage(raw: readonly unknown[]) {
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

/** The answer of `GET live/match/{id}` in msgpack: the match with all its markets, and the date of its clock value. */
export function readMatchAnswer(raw: unknown): ToldMatch {
  const [match, date] = array(raw)
  return readMatch(array(match), instant(date))
}

/** A match. Its clock value is valid at `dateMs` (epoch ms). */
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

/** The match clock: seconds at `dateMs`, or a text. */
function readTime(raw: unknown, dateMs: number, stopped: boolean): Clock | null {
  if (raw === null || raw === undefined) {
    return null
  }
  return typeof raw === 'string' ? { kind: 'text', text: raw } : readClock(integer(raw), dateMs, stopped)
}

/** The status of a market that is suspended. Any other value, also of a later version, is not. */
const SUSPENDED = -1

export function readMarket(raw: unknown): ToldMarket {
  const fields = array(raw)
  return {
    id: id(fields[0]),
    name: optional(text)(fields[1]),
    short: optional(text)(fields[2]),
    special: optional(text)(fields[3]),
    sbv: textOrNumber(fields[4]),
    type: optional(integer)(fields[5]) ?? 0,
    subtype: optional(integer)(fields[6]),
    order: optional(integer)(fields[7]) ?? 0,
    odds: optional(listOf(readOdd))(fields[8]) ?? [],
    balanced: optional(bool)(fields[9]),
    description: optional(text)(fields[10]),
    tags: optional(listOf(text))(fields[11]) ?? [],
    isSuspended: fields[12] === SUSPENDED,
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

export function readValues(raw: unknown): Odd['values'] {
  return optional(listOf(optional(text)))(raw)
}

export function movement(raw: unknown): Movement | 0 {
  return raw === 1 || raw === -1 || raw === 0 ? raw : fail('a movement', raw)
}

/** The highest price, 100,000, in thousandths. */
const MAX_PRICE = 100_000_000

/** Converts a decimal price to thousandths; 0 means not offered. */
function decimalPrice(raw: unknown): number {
  if (raw === null || raw === undefined) {
    return 0
  }
  return typeof raw === 'number' ? price(Math.round(raw * 1000)) : fail('a price', raw)
}

export function price(thousandths: unknown): number {
  const value = id(thousandths)
  return value <= MAX_PRICE ? value : fail('a price', thousandths)
}

export function readBall(raw: unknown): Ball {
  const [x, y, side, action] = array(raw)
  return { x: integer(x), y: integer(y), side: integer(side), action: integer(action) }
}

export function pair(raw: unknown): Pair {
  const [home, away] = array(raw)
  return [integer(home), integer(away)]
}

export function textPair(raw: unknown): Pair<string> {
  const [home, away] = array(raw)
  return [textOrNumber(home) ?? '', textOrNumber(away) ?? '']
}
