/** The matches with markets that are decided soon, in an order that stays the same while the page is open. */
import type { Market, MarketId, Match, MatchId, Odd, SportId } from '../../domain/offer'
import { ownType } from '../../domain/providerTypes'
import { allRows, lookup, type Table } from '../../domain/table'
import { hasOutcomeId } from '../../platform/offer/oddLabel'
import { decidedSoon, SOON_SECONDS } from './decidedSoon'

export interface SoonMarket {
  readonly marketId: MarketId
  /** The expected time in whole minutes; 0 is less than a minute. */
  readonly minutes: number
}

export interface SoonMatch {
  readonly matchId: MatchId
  /** The soonest first for which there is time to bet. */
  readonly markets: readonly SoonMarket[]
}

export interface Filter {
  readonly sports: readonly SportId[]
  readonly hidden: Readonly<Record<MatchId, true>>
}

/**
 * A bet takes this long to pick, confirm and accept. Markets that are decided sooner, such as the next point, come last:
 * many bets on them are too late.
 */
const TIME_TO_BET_SECONDS = 40

/** The time from which a minute is written. */
const MINUTE_FROM_SECONDS = 45

interface Offered {
  readonly matches: Table<Match>
  readonly markets: Table<Market>
  readonly odds: Table<Odd>
}

/**
 * The matches that can be bet on, the soonest first for which there is time to bet. Only markets of the rows are known
 * here: the others are sent for an opened match only.
 */
export function soonMatches(
  { matches, markets, odds }: Offered,
  { sports, hidden }: Filter,
  serverNowMs: number,
): SoonMatch[] {
  return allRows(matches)
    .filter(({ id, sportId, betting }) => betting && !hidden[id] && (sports.length === 0 || sports.includes(sportId)))
    .flatMap((match) => {
      const ofRow = match.rowMarketIds.flatMap((id) => inOwnTerms(lookup(markets, id), odds) ?? [])
      const soon = decidedSoon(match, ofRow, serverNowMs)
      const hasTime = ({ seconds }: { seconds: number }) => seconds >= TIME_TO_BET_SECONDS
      const ordered = [...soon.filter(hasTime), ...soon.filter((each) => !hasTime(each))]
      const [first] = ordered
      return first ? [{ match, soon: ordered, seconds: hasTime(first) ? first.seconds : SOON_SECONDS }] : []
    })
    .sort((a, b) => a.seconds - b.seconds || a.match.order - b.match.order || a.match.id - b.match.id)
    .map(({ match, soon }) => ({
      matchId: match.id,
      markets: soon.map(({ market, seconds }) => ({ marketId: market.id, minutes: minutesOf(seconds) })),
    }))
}

/** A market with kvota's type, if its own is a provider's; null if kvota has no such market. */
function inOwnTerms(market: Market | undefined, odds: Table<Odd>): Market | null {
  const odd = lookup(odds, market?.oddIds[0] ?? 0)
  if (!market || !odd || !hasOutcomeId(odd)) {
    return market ?? null
  }
  const type = ownType(market.type)
  return type === null ? null : { ...market, type }
}

function minutesOf(seconds: number): number {
  return seconds < MINUTE_FROM_SECONDS ? 0 : Math.max(1, Math.round(seconds / 60))
}

/**
 * The order to keep: new matches come last. A match with a market that was just decided keeps its place, because its next
 * market opens at once in most sports.
 */
export function keptOrder(order: readonly MatchId[], soon: readonly SoonMatch[]): readonly MatchId[] {
  const known = new Set(order)
  const added = soon.filter(({ matchId }) => !known.has(matchId)).map(({ matchId }) => matchId)
  return added.length === 0 ? order : [...order, ...added]
}

/** The matches in the kept order. */
export function inOrder(order: readonly MatchId[], soon: readonly SoonMatch[]): SoonMatch[] {
  const byId = new Map(soon.map((match) => [match.matchId, match]))
  return order.flatMap((id) => byId.get(id) ?? [])
}
