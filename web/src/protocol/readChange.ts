/** Reads a row or detail change (docs/protocol.md, *Changes*). */
import type { Match } from '../domain/offer'
import type { MatchFields, PartChange } from './frames'
import { array, bool, id, integer, listOf, optional, pairs, text } from './read'
import { movement, pair, price, readBall, readMarket, readValues, textPair } from './readEntities'

/**
 * Reads the flat list of keys and values of a change. A key from 0 up is the index of an odd; its value is the new
 * price. The negative keys are listed in docs/protocol.md.
 */
export function readChange(raw: readonly unknown[]): PartChange {
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
      case -25:
        change.history = value
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

/** Ignores unknown keys: they come from a later version. */
function readField(fields: MatchFields, key: number, raw: unknown): void {
  const reader = (readers as Readonly<Record<number, readonly [string, (raw: unknown) => unknown]>>)[key]
  if (reader) {
    Object.assign(fields, { [reader[0]]: reader[1](raw) })
  }
}

/** A number is the time (epoch ms) when the clock was at zero; an array holds the seconds of a stopped clock. */
function readClockField(raw: unknown): Match['clock'] {
  if (raw === null || raw === undefined) {
    return null
  }
  if (typeof raw === 'string') {
    return { kind: 'text', text: raw }
  }
  return Array.isArray(raw) ? { kind: 'stopped', seconds: integer(raw[0]) } : { kind: 'running', zeroMs: integer(raw) }
}
