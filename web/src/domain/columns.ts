/**
 * Which market and which odds a preferred column shows in a row (CONTRACT 0). The server splits a match into row and
 * rest by the same rule, in `crates/domain/src/rows.rs`.
 */
import type { Market, MarketId, Odd, PreferredColumn } from './offer'

type Kind = Pick<Market, 'type' | 'balanced'>

/** The entry of a column that counts while a match has a status: the first whose status is empty or the match's. */
function entryFor(column: PreferredColumn, status: string | null) {
  return column.markets.find((entry) => !entry.status || entry.status === (status ?? ''))
}

/** The market a column shows: of the entry's type the balanced line, or the first where none is. */
export function shownMarket<M extends Kind>(
  column: PreferredColumn,
  status: string | null,
  markets: readonly M[],
): M | undefined {
  const entry = entryFor(column, status)
  if (!entry) {
    return undefined
  }
  const ofType = markets.filter((market) => market.type === entry.marketType)
  return ofType.find((market) => market.balanced === true) ?? ofType[0]
}

/** The odd a field shows: the one whose type equals it, else the one whose alias does. */
export function shownOdd<O extends Pick<Odd, 'type' | 'alias'>>(field: string, odds: readonly O[]): O | undefined {
  return odds.find((odd) => odd.type === field) ?? odds.find((odd) => odd.alias === field)
}

/** The sbv as a column shows it: `{sbv}` as it stands, `{+sbv}` with its sign, anything else not at all. */
export function formatSbv(format: string | null, sbv: string | null): string {
  if (!format || sbv === null) {
    return ''
  }
  return format.replace('{sbv}', sbv).replace('{+sbv}', signed(sbv))
}

function signed(sbv: string): string {
  return Number(sbv) > 0 && !sbv.startsWith('+') ? `+${sbv}` : sbv
}

/** The text of the sbv beside a column's market. */
export function shownSbv(column: PreferredColumn, status: string | null, market: Pick<Market, 'sbv'>): string {
  return formatSbv(entryFor(column, status)?.format ?? null, market.sbv)
}

/** The ids of the markets that belong to a match's row, each once, in the feed's order. */
export function rowMarketIds<M extends Kind & { readonly id: MarketId }>(
  columns: readonly PreferredColumn[],
  status: string | null,
  markets: readonly M[],
): MarketId[] {
  const shown = new Set(columns.map((column) => shownMarket(column, status, markets)))
  return markets.filter((market) => shown.has(market)).map((market) => market.id)
}

/** The columns a selector offers, by their order. */
export function offeredColumns(columns: readonly PreferredColumn[]): PreferredColumn[] {
  return columns.filter((column) => !column.hidden).sort((a, b) => a.order - b.order)
}
