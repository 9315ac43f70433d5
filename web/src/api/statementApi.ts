/** The calls of the statement (CONTRACT 7). */
import { fail, integer, listOf, record, text, textOrNumber } from '../protocol/read'
import { readBody, request } from './request'

export interface StatementEntry {
  readonly at: number
  /** A kind of a later version is kept as it is. */
  readonly kind: string
  /** Signed; negative is out. */
  readonly amount: string
  readonly balance: string
  readonly ticketId: string | null
  /** Null from a server that does not send it. */
  readonly ticketNumber: string | null
}

export interface StatementPage {
  readonly entries: readonly StatementEntry[]
  /** The cursor of the next page, with older entries; null on the last page. */
  readonly next: string | null
}

/** In milliseconds, from <= at < to; null is no bound. */
export interface Period {
  readonly from: number | null
  readonly to: number | null
}

/** One page of the ledger of the account, newest first. */
export async function fetchStatement(
  { from, to }: Period,
  cursor: string | null,
  signal?: AbortSignal,
  limit = 50,
): Promise<StatementPage> {
  const answer = await request({
    path: 'account/statement',
    query: queryOf({ from, to }, cursor, limit),
    accept: 'application/json',
    ...(signal && { signal }),
  })
  return readBody(
    answer,
    (body) => body.json() as Promise<unknown>,
    (raw) => {
      const { entries, next } = record(raw)
      return { entries: listOf(readEntry)(entries), next: textOrNumber(next) }
    },
  )
}

/** The most entries that the server sends at once. */
const WHOLE_LIMIT = 1000

/** All entries of the period, newest first. */
export async function fetchWholeStatement(period: Period, signal?: AbortSignal): Promise<readonly StatementEntry[]> {
  const all: StatementEntry[] = []
  let cursor: string | null = null
  do {
    const page: StatementPage = await fetchStatement(period, cursor, signal, WHOLE_LIMIT)
    all.push(...page.entries)
    cursor = page.next
  } while (cursor !== null)
  return all
}

/** The whole period as CSV, all pages together with one header. */
export async function fetchStatementCsv(period: Period, signal?: AbortSignal): Promise<string> {
  let csv = ''
  let cursor: string | null = null
  do {
    const answer: Response = await request({
      path: 'account/statement',
      query: queryOf(period, cursor, WHOLE_LIMIT),
      accept: 'text/csv',
      ...(signal && { signal }),
    })
    const page = await readBody(
      answer,
      (body) => body.text(),
      (body) => body,
    )
    csv += cursor === null ? page : page.slice(page.indexOf('\n') + 1)
    cursor = answer.headers.get('x-next-cursor')
  } while (cursor !== null)
  return csv
}

function queryOf({ from, to }: Period, cursor: string | null, limit: number): Record<string, string> {
  return {
    limit: String(limit),
    ...(cursor !== null && { cursor }),
    ...(from !== null && { from: String(from) }),
    ...(to !== null && { to: String(to) }),
  }
}

function readEntry(raw: unknown): StatementEntry {
  const entry = record(raw)
  return {
    at: integer(entry['at']),
    kind: text(entry['kind']),
    amount: signed(entry['amount']),
    balance: signed(entry['balance']),
    ticketId: textOrNumber(entry['ticketId']),
    ticketNumber: textOrNumber(entry['ticketNumber']),
  }
}

function signed(raw: unknown): string {
  return typeof raw === 'string' && /^-?\d+(\.\d+)?$/.test(raw) ? raw : fail('a signed decimal', raw)
}
