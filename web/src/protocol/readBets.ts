/**
 * Reads bets, their changes, their cash-out values and the money of an account. It loads after the first paint. The hub
 * and `account/tickets` use the same objects. Fields that older servers do not send have a default.
 */
import {
  type AccountMoney,
  BET_CAUSES,
  BET_STATES,
  type Bet,
  type BetCause,
  type BetPair,
  type BetProgress,
  type CashOut,
  type CashOutParts,
  type CashOutRule,
  type Graded,
  type MadeSettlement,
  PAIR_RESULTS,
  type Payout,
  type RestStake,
  type Settlement,
} from '../domain/bet'
import type { CashOutValue, ToldCashOutValue } from '../domain/cashOut'
import {
  bool,
  decimal,
  fail,
  id,
  instant,
  integer,
  listOf,
  MalformedError,
  oneOf,
  optional,
  record,
  text,
  textOrNumber,
} from './read'

const state = oneOf(...BET_STATES)

export type BetsReport =
  /** All open bets. They replace all open bets held. */
  | { readonly kind: 'bets'; readonly bets: readonly Bet[] }
  | { readonly kind: 'betPlaced'; readonly bet: Bet }
  | { readonly kind: 'betChanged'; readonly cause: BetCause; readonly progress: BetProgress }
  | { readonly kind: 'money'; readonly money: AccountMoney }
  | { readonly kind: 'cashOutValues'; readonly values: readonly ToldCashOutValue[] }

/** A message of the kinds 18 to 22; null if it is malformed. */
export function readBetsReport(raw: readonly unknown[]): BetsReport | null {
  try {
    switch (raw[0]) {
      case 18:
        return { kind: 'bets', bets: listOf(readBet)(raw[1]) }
      case 19:
        return { kind: 'betPlaced', bet: readBet(raw[1]) }
      case 20:
        return { kind: 'betChanged', cause: oneOf(...BET_CAUSES)(raw[1]), progress: readProgress(raw[2]) }
      case 22:
        return { kind: 'cashOutValues', values: listOf(readToldValue)(raw[1]) }
      default:
        return { kind: 'money', money: readMoney(raw[1]) }
    }
  } catch (error) {
    if (error instanceof MalformedError) {
      return null
    }
    throw error
  }
}

export function readBet(raw: unknown): Bet {
  const bet = record(raw)
  const bruto = decimal(bet['bruto'])
  const stake = decimal(bet['stake'])
  return {
    ticketId: text(bet['ticketId']),
    ticketNumber: words(bet['ticketNumber']),
    revision: optional(id)(bet['revision']) ?? 0,
    placedAt: instant(bet['placedAt']),
    state: state(bet['state'] ?? bet['status']),
    settlement: optional(readSettlement)(bet['settlement']),
    possible: optional(readPayout)(bet['possible']),
    remaining: optional(readRest)(bet['remaining']) ?? { bruto, taxedStake: stake },
    cashOuts: optional(listOf(readCashOut))(bet['cashOuts']) ?? [],
    cashOutRule: optional(readRule)(bet['cashOutRule']),
    systemType: integer(bet['systemType']),
    stake,
    bruto,
    totalOdd: decimal(bet['totalOdd']),
    potentialWin: decimal(bet['potentialWin']),
    winTax: decimal(bet['winTax']),
    payout: decimal(bet['payout']),
    pairs: listOf(readPair)(bet['pairs']),
  }
}

/** All settlements of a bet that were made, oldest first. */
export function readSettlements(raw: unknown): readonly MadeSettlement[] {
  const made = (one: unknown) => ({ ...readSettlement(one), state: state(record(one)['state']) })
  return optional(listOf(made))(record(raw)['settlements']) ?? []
}

export function readProgress(raw: unknown): BetProgress {
  const progress = record(raw)
  return {
    ticketId: text(progress['ticketId']),
    revision: id(progress['revision']),
    state: state(progress['state']),
    results: listOf(readGraded)(progress['results']),
    settlement: optional(readSettlement)(progress['settlement']),
    possible: optional(readPayout)(progress['possible']),
    ...('remaining' in progress && readCashOutParts(progress)),
  }
}

export function readMoney(raw: unknown): AccountMoney {
  const money = record(raw)
  return {
    revision: id(money['revision']),
    balance: decimal(money['balance']),
    receivable: decimal(money['receivable']),
  }
}

function readPair(raw: unknown): BetPair {
  const pair = record(raw)
  const value = pair['oddValue']
  return {
    matchId: id(pair['matchId']),
    // Named so by the contract, but it is the id of the odd.
    oddId: optional(id)(pair['marketId']),
    sportId: optional(id)(pair['sportId']),
    home: words(pair['home']),
    away: words(pair['away']),
    tournament: words(pair['tournament']),
    marketName: words(pair['marketName']),
    marketType: optional(integer)(pair['marketType']),
    oddType: optional(text)(pair['oddType']),
    oddName: words(pair['oddName']),
    sbv: textOrNumber(pair['sbv']),
    oddValue: typeof value === 'number' ? Math.round(value * 1000) : fail('an odd', value),
    isFix: optional(bool)(pair['isFix']) ?? false,
    ...readGraded(pair),
  }
}

function readGraded(raw: unknown): Graded {
  const graded = record(raw)
  return {
    // There is no text for a result of a later version.
    result: PAIR_RESULTS.find((result) => result === graded['result']) ?? 'open',
    settledAt: optional(instant)(graded['settledAt']),
    factor: optional(decimal)(graded['factor']),
    reason: optional(text)(graded['reason']),
  }
}

function readSettlement(raw: unknown): Settlement {
  const settlement = record(raw)
  return {
    number: id(settlement['number']),
    at: instant(settlement['at']),
    reason: optional(text)(settlement['reason']),
    ...readPayout(settlement),
  }
}

function readCashOut(raw: unknown): CashOut {
  const cashOut = record(raw)
  return { at: instant(cashOut['at']), share: decimal(cashOut['share']), paid: decimal(cashOut['paid']) }
}

function readCashOutParts(progress: Readonly<Record<string, unknown>>): CashOutParts {
  return {
    remaining: readRest(progress['remaining']),
    cashOuts: listOf(readCashOut)(progress['cashOuts']),
    cashOutRule: optional(readRule)(progress['cashOutRule']),
  }
}

export function readRest(raw: unknown): RestStake {
  const rest = record(raw)
  return { bruto: decimal(rest['bruto']), taxedStake: decimal(rest['taxedStake']) }
}

export function readRule(raw: unknown): CashOutRule {
  return { atLeast: decimal(record(raw)['atLeast']) }
}

export function readCashOutValue(raw: unknown): CashOutValue {
  const value = record(raw)
  return {
    value: optional(decimal)(value['value']),
    winTax: optional(decimal)(value['winTax']),
    net: optional(decimal)(value['net']),
    reasons: listOf(text)(value['reasons']),
  }
}

function readToldValue(raw: unknown): ToldCashOutValue {
  return { ticketId: text(record(raw)['ticketId']), ...readCashOutValue(raw) }
}

function readPayout(raw: unknown): Payout {
  const payout = record(raw)
  return { gross: decimal(payout['gross']), winTax: decimal(payout['winTax']), paid: decimal(payout['paid']) }
}

function words(raw: unknown): string {
  return optional(text)(raw) ?? ''
}
