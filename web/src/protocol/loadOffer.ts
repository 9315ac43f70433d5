/** Converts offers and matches fetched over HTTP to the state that the hub's messages then change. */
import { rowMarketIds } from '../domain/columns'
import { EMPTY_OFFER, type MatchId, type Offer } from '../domain/offer'
import { applyChanges } from '../domain/offerChanges'
import { lookup } from '../domain/table'
import { applyMessages } from './applyFrame'
import type { OfferMessage, ToldMarket, ToldMatch, ToldOffer } from './frames'

/** The offer in normalised form. It has rows only, no details. */
export function loadOffer(told: ToldOffer): Offer {
  const messages = told.sports.flatMap(({ matches, ...sport }): OfferMessage[] => [
    { kind: 'sport', sport, matchIds: null },
    ...matches.map((match) => ({ kind: 'match', match }) as const),
  ])
  return applyChanges(EMPTY_OFFER, applyMessages(EMPTY_OFFER, messages).changes)
}

/** Splits a match with all its markets into a row message and a detail message. */
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

/** Copies the detail of a match from the old offer `from` to the new offer `to`, which has rows only. */
export function carryDetail(from: Offer, to: Offer, matchId: MatchId): Offer {
  const match = lookup(from.matches, matchId)
  const detail = lookup(from.parts, matchId)?.detail
  const row = lookup(to.matches, matchId)?.rowMarketIds
  // A detail market that has moved into the row since then shows that the old detail is out of date.
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
