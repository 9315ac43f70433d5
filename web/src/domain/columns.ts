/**
 * Selects the market and the odds that a preferred column shows in a row (CONTRACT 0). The server splits a match into
 * row and detail by the same rule, in `crates/domain/src/rows.rs`; change both together.
 */
import type { Market, MarketId, Odd, PreferredColumn } from './offer'

type Kind = Pick<Market, 'type' | 'balanced'>

/** The entry of a column that applies to a match status: the first with an empty status or an equal one. */
function entryFor(column: PreferredColumn, status: string | null) {
  return column.markets.find((entry) => !entry.status || entry.status === (status ?? ''))
}

/** The market that a column shows: the balanced one of the entry's type, or the first if none is balanced. */
export function shownMarket<M extends Kind>(
  column: PreferredColumn,
  status: string | null,
  markets: readonly M[],
): M | undefined {
  const ofType = markets.filter((market) => market.type === entryFor(column, status)?.marketType)
  return ofType.find((market) => market.balanced === true) ?? ofType[0]
}

/** The odd that a field shows: the one with this type, otherwise the one with this alias. */
export function shownOdd<O extends Pick<Odd, 'type' | 'alias'>>(field: string, odds: readonly O[]): O | undefined {
  return odds.find((odd) => odd.type === field) ?? odds.find((odd) => odd.alias === field)
}

/**
 * The displayed sbv: unchanged for the format `{sbv}`, with its sign for `{+sbv}`, empty for any other, or if nothing of
 * it is readable.
 */
export function formatSbv(format: string | null, sbv: string | null): string {
  const line = readableLine(sbv)
  return format && line ? format.replace('{sbv}', line).replace('{+sbv}', signedLine(line)) : ''
}

/** A line without the URNs and variants of a provider, `sr:exact_goals:6+` among its values, which are joined by slashes. */
export function readableLine(sbv: string | null): string {
  const values = (sbv ?? '').split('/')
  return values.filter((value) => !/^[a-z]\w*:/i.test(value)).join('/')
}

/** With its sign; zero has none. Of several values, joined by slashes, it is the first that has one. */
export function signedLine(sbv: string): string {
  return sbv.replace(/^[+-]?([\d.]+)(?=\/|$)/, (value, amount) =>
    Number(amount) === 0 ? amount : value === amount ? `+${value}` : value,
  )
}

/** The sbv text beside a column's market. */
export function shownSbv(column: PreferredColumn, status: string | null, market: Pick<Market, 'sbv'>): string {
  return formatSbv(entryFor(column, status)?.format ?? null, market.sbv)
}

/** The ids of the markets that belong to a match's row, without duplicates, in the feed's order. */
export function rowMarketIds<M extends Kind & { readonly id: MarketId }>(
  columns: readonly PreferredColumn[],
  status: string | null,
  markets: readonly M[],
): MarketId[] {
  const shown = new Set(columns.map((column) => shownMarket(column, status, markets)))
  return markets.filter((market) => shown.has(market)).map((market) => market.id)
}

/** The columns that the user can choose, in their order. */
export function offeredColumns(columns: readonly PreferredColumn[]): PreferredColumn[] {
  return columns.filter((column) => !column.hidden).sort((a, b) => a.order - b.order)
}
