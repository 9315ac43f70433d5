/** The calls of an account (CONTRACT 2). */
import type { Bet, MadeSettlement } from '../domain/bet'
import { listOf, record, textOrNumber } from '../protocol/read'
import { readBet, readSettlements } from '../protocol/readBets'
import { json, readBody, request } from './request'

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

export interface BetsPage {
  readonly tickets: readonly Bet[]
  /** The cursor of the next page, with older bets; null on the last page. */
  readonly next: string | null
}

export type BetsOf = 'open' | 'settled'

/** One page of the user's open or settled bets, newest first. */
export async function fetchBets(
  of: BetsOf,
  cursor: string | null,
  lang: string,
  signal?: AbortSignal,
): Promise<BetsPage> {
  const answer = await request({
    path: 'account/tickets',
    query: { lang, state: of, limit: '20', ...(cursor !== null && { cursor }) },
    accept: 'application/json',
    ...(signal && { signal }),
  })
  return readBody(answer, json, (raw) => {
    const { tickets, next } = record(raw)
    return { tickets: listOf(readBet)(tickets), next: textOrNumber(next) }
  })
}

export interface BetAnswer {
  readonly bet: Bet
  /** All settlements that the bet had, oldest first. More than one: there were corrections. */
  readonly settlements: readonly MadeSettlement[]
}

/** One bet, by its id or its number. */
export async function fetchBet(idOrNumber: string, lang: string, signal?: AbortSignal): Promise<BetAnswer> {
  const answer = await request({
    path: `account/tickets/${encodeURIComponent(idOrNumber)}`,
    query: { lang },
    accept: 'application/json',
    ...(signal && { signal }),
  })
  return readBody(answer, json, (raw) => ({ bet: readBet(raw), settlements: readSettlements(raw) }))
}
