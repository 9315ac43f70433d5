/** What was staked and returned today, from the entries of the statement. */
import type { StatementEntry } from '../../api/statementApi'
import { centsOf, writeCents } from '../../domain/ticket/stake'

export interface DaySums {
  readonly bets: number
  /** Exact decimal amounts; the result is negative if more was staked than returned. */
  readonly staked: string
  readonly returned: string
  readonly result: string
}

const RETURNS: ReadonlySet<string> = new Set(['payout', 'cash_out', 'refund', 'correction'])

export function daySums(entries: readonly StatementEntry[]): DaySums {
  const stakes = entries.filter(({ kind }) => kind === 'stake')
  const staked = -sumOf(stakes)
  const returned = sumOf(entries.filter(({ kind }) => RETURNS.has(kind)))
  return { bets: stakes.length, staked: text(staked), returned: text(returned), result: text(returned - staked) }
}

const sumOf = (entries: readonly StatementEntry[]) => entries.reduce((sum, { amount }) => sum + cents(amount), 0n)
const cents = (amount: string) => (amount.startsWith('-') ? -centsOf(amount.slice(1)) : centsOf(amount))
const text = (sum: bigint) => (sum < 0n ? `-${writeCents(-sum)}` : writeCents(sum))
