/** Reads the ticket. It is a map, not an array: it is small and rare, and people read it in the browser's tools. */
import { CONSENTS, REASONS, type TicketInfo, type TicketPair } from '../domain/ticket/ticket'
import { bool, decimal, fail, id, integer, listOf, oneOf, optional, record, text, textOrNumber } from './read'

const type = oneOf(0, 1)
const consent = oneOf(...CONSENTS)

export function readTicket(raw: unknown): TicketInfo {
  const ticket = record(raw)
  return {
    type: type(ticket['type']),
    stake: decimal(ticket['stake']),
    consent: consent(ticket['consent']),
    pairs: listOf(readPair)(ticket['pairs']),
    combination: optional(id)(ticket['selectedSystemCombinations']),
    numberOfFixPairs: id(ticket['numberOfFixPairs']),
    numberOfOdds: id(ticket['numberOfOdds']),
    totalOdd: decimal(ticket['totalOdd']),
    clamped: bool(ticket['clamped']),
    stakeTaxPercentage: percentage(ticket['stakeTaxPercentage']),
    taxedStake: decimal(ticket['taxedStake']),
    possibleWin: decimal(ticket['possibleWin']),
    winTax: decimal(ticket['winTax']),
    winTaxPercentage: percentage(ticket['winTaxPercentage']),
    taxedWin: decimal(ticket['taxedWin']),
    possiblePayout: decimal(ticket['possiblePayout']),
    minWin: decimal(ticket['minWin']),
    maxWin: decimal(ticket['maxWin']),
    minimumStake: decimal(ticket['minimumStake']),
    systemCombinations: listOf(readCombination)(ticket['systemCombinations']),
  }
}

function readPair(raw: unknown): TicketPair {
  const pair = record(raw)
  return {
    matchId: id(pair['matchId']),
    marketId: id(pair['marketId']),
    oddId: id(pair['oddId']),
    sportId: id(pair['sportId']),
    home: words(pair['home']),
    away: words(pair['away']),
    marketName: words(pair['marketName']),
    oddName: words(pair['oddName']),
    marketType: integer(pair['marketType']),
    marketSubType: optional(integer)(pair['marketSubType']),
    sbv: textOrNumber(pair['sbv']),
    oddType: words(pair['oddType']),
    oddValue: thousandths(pair['oddValue']),
    pickedValue: thousandths(pair['pickedValue']),
    canBet: bool(pair['canBet']),
    // There is no translation for a reason from a later version.
    reason: REASONS.find((reason) => reason === pair['reason']) ?? null,
    isFix: bool(pair['isFix']),
  }
}

function readCombination(raw: unknown) {
  const combination = record(raw)
  return { value: id(combination['combinationValue']), count: id(combination['count']) }
}

function words(raw: unknown): string {
  return optional(text)(raw) ?? ''
}

function percentage(raw: unknown): number {
  return typeof raw === 'number' && raw >= 0 && raw <= 100 ? raw : fail('a percentage', raw)
}

/** Converts a price with at most 3 decimals to thousandths; 0 if it is absent. */
function thousandths(raw: unknown): number {
  const number = raw === null || raw === undefined ? 0 : raw
  return typeof number === 'number' && number >= 0 && number <= 1e6 ? Math.round(number * 1000) : fail('an odd', raw)
}
