/** Offers and matches that were asked for over HTTP, made into what the hub's messages then change. */
import { rowMarketIds } from '../domain/columns'
import { EMPTY_OFFER, type MatchId, type Offer } from '../domain/offer'
import { applyChanges } from '../domain/offerChanges'
import { lookup } from '../domain/table'
import { applyMessages } from './applyFrame'
import type { OfferMessage, ToldMarket, ToldMatch, ToldOffer } from './frames'

/** The offer as told: rows only. */
export function loadOffer(told: ToldOffer): Offer {
  const messages = told.sports.flatMap(({ matches, ...sport }): OfferMessage[] => [
    { kind: 'sport', sport, matchIds: null },
    ...matches.map((match) => ({ kind: 'match', match }) as const),
  ])
  return applyChanges(EMPTY_OFFER, applyMessages(EMPTY_OFFER, messages).changes)
}

/** A match told with all its markets, as the messages that tell its row and its detail. */
export function matchMessages(offer: Offer, told: ToldMatch): OfferMessage[] {
  const columns = lookup(offer.sports, told.sportId)?.preferred ?? []
  const ofRow = new Set(rowMarketIds(columns, told.status, told.markets))
  return [
    { kind: 'match', match: { ...told, markets: told.markets.filter((market) => ofRow.has(market.id)) } },
    {
      kind: 'detail',
      matchId: told.id,
      revision: told.detailRevision,
      layout: told.markets.map((market) => market.id),
      markets: told.markets.filter((market) => !ofRow.has(market.id)),
      ball: told.ball,
    },
  ]
}

/** The detail of a match as `from` holds it, carried over to an offer that has come anew with rows only. */
export function carryDetail(from: Offer, to: Offer, matchId: MatchId): Offer {
  const match = lookup(from.matches, matchId)
  const detail = lookup(from.parts, matchId)?.detail
  const row = lookup(to.matches, matchId)?.rowMarketIds
  // A market that has come into the row since shows that the detail is of yesterday.
  if (!(match?.layout && detail && row) || match.detailMarketIds.some((id) => row.includes(id))) {
    return to
  }
  const message: OfferMessage = {
    kind: 'detail',
    matchId,
    revision: detail.revision,
    layout: match.layout,
    markets: match.detailMarketIds.flatMap((id) => toldMarket(from, id, detail.marks)),
    ball: match.ball,
  }
  return applyChanges(to, applyMessages(to, [message], new Set([matchId])).changes)
}

function toldMarket(offer: Offer, id: number, marks: Readonly<Record<number, 1 | -1>>): ToldMarket[] {
  const market = lookup(offer.markets, id)
  if (!market) {
    return []
  }
  const { matchId: _, oddIds, ...told } = market
  const odds = oddIds.flatMap((oddId) => {
    const odd = lookup(offer.odds, oddId)
    if (!odd) {
      return []
    }
    const { marketId: __, ...rest } = odd
    return [{ ...rest, changed: marks[oddId] ?? (0 as const) }]
  })
  return [{ ...told, odds }]
}
