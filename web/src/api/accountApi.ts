/** The calls of an account (CONTRACT 2). */
import { bool, decimal, fail, id, integer, listOf, oneOf, optional, record, text, textOrNumber } from '../protocol/read'
import { readBody, request } from './request'

const json = (answer: Response) => answer.json() as Promise<unknown>

/** Registers or logs in. Afterwards the session belongs to the account. */
export async function enter(how: 'login' | 'register', name: string, password: string, lang: string): Promise<void> {
  await request({
    path: `account/${how}`,
    query: { lang },
    accept: 'application/json',
    method: 'POST',
    body: JSON.stringify({ name, password }),
  })
}

export async function logout(): Promise<void> {
  await request({ path: 'account/logout', accept: 'application/json', method: 'POST' })
}

export type BetStatus = 'open' | 'won' | 'lost' | 'void'

export interface BetPair {
  readonly matchId: number
  readonly home: string
  readonly away: string
  readonly marketName: string
  readonly oddName: string
  readonly sbv: string | null
  /** In thousandths. */
  readonly oddValue: number
  readonly isFix: boolean
}

export interface Bet {
  readonly ticketId: string
  readonly placedAt: number
  readonly status: BetStatus
  /** 0 for a standard bet, otherwise the k of the system. */
  readonly systemType: number
  /** After stake tax. */
  readonly stake: string
  readonly bruto: string
  readonly totalOdd: string
  readonly payout: string
  readonly winTax: string
  readonly potentialWin: string
  readonly pairs: readonly BetPair[]
}

export interface BetsPage {
  readonly tickets: readonly Bet[]
  /** The cursor of the next page, with older bets; null on the last page. */
  readonly next: string | null
}

/** One page of the user's bets, newest first. */
export async function fetchBets(cursor: string | null, lang: string, signal?: AbortSignal): Promise<BetsPage> {
  const answer = await request({
    path: 'account/tickets',
    query: { lang, limit: '20', ...(cursor !== null && { cursor }) },
    accept: 'application/json',
    ...(signal && { signal }),
  })
  return readBody(answer, json, (raw) => {
    const { tickets, next } = record(raw)
    return { tickets: listOf(readBet)(tickets), next: textOrNumber(next) }
  })
}

function readBet(raw: unknown): Bet {
  const bet = record(raw)
  return {
    ticketId: text(bet['ticketId']),
    placedAt: integer(bet['placedAt']),
    status: oneOf('open', 'won', 'lost', 'void')(bet['status']),
    systemType: integer(bet['systemType']),
    stake: decimal(bet['stake']),
    bruto: decimal(bet['bruto']),
    totalOdd: decimal(bet['totalOdd']),
    payout: decimal(bet['payout']),
    winTax: decimal(bet['winTax']),
    potentialWin: decimal(bet['potentialWin']),
    pairs: listOf(readPair)(bet['pairs']),
  }
}

function readPair(raw: unknown): BetPair {
  const pair = record(raw)
  const value = pair['oddValue']
  return {
    matchId: id(pair['matchId']),
    home: optional(text)(pair['home']) ?? '',
    away: optional(text)(pair['away']) ?? '',
    marketName: optional(text)(pair['marketName']) ?? '',
    oddName: optional(text)(pair['oddName']) ?? '',
    sbv: textOrNumber(pair['sbv']),
    oddValue: typeof value === 'number' ? Math.round(value * 1000) : fail('an odd', value),
    isFix: optional(bool)(pair['isFix']) ?? false,
  }
}
