/**
 * Converts nested objects of the server to normalised rows of the offer's tables. Fields are copied one by one, because
 * `...rest` would cost more time than all other work of loading an offer.
 */
import type { Market, MarketId, Match, MatchId, Odd } from '../domain/offer'
import type { ToldMarket, ToldMatch, ToldOdd } from './frames'

/** The row of a match. It keeps the market ids, layout and ball of `held`, the row that the client already has. */
export function matchOf(told: ToldMatch, held: Match | undefined): Match {
  return {
    id: told.id,
    sportId: told.sportId,
    status: told.status,
    home: told.home,
    away: told.away,
    betting: told.betting,
    suspended: told.suspended,
    order: told.order,
    score: told.score,
    scores: told.scores,
    sportName: told.sportName,
    clock: told.clock,
    clockStopped: told.clockStopped,
    tournament: told.tournament,
    tournamentDescription: told.tournamentDescription,
    result: told.result,
    performEventId: told.performEventId,
    performEventType: told.performEventType,
    redCards: told.redCards,
    yellowCards: told.yellowCards,
    corners: told.corners,
    playerServing: told.playerServing,
    tiebreak: told.tiebreak,
    game: told.game,
    numberOfOdds: told.numberOfOdds,
    rowMarketIds: held?.rowMarketIds ?? [],
    detailMarketIds: held?.detailMarketIds ?? [],
    layout: held?.layout ?? null,
    ball: held?.ball ?? null,
  }
}

export function marketOf(told: ToldMarket, matchId: MatchId): Market {
  return {
    id: told.id,
    matchId,
    name: told.name,
    short: told.short,
    special: told.special,
    sbv: told.sbv,
    type: told.type,
    subtype: told.subtype,
    order: told.order,
    balanced: told.balanced,
    description: told.description,
    tags: told.tags,
    isSuspended: told.isSuspended,
    oddIds: told.odds.map((odd) => odd.id),
  }
}

export function oddOf(told: ToldOdd, marketId: MarketId): Odd {
  return {
    id: told.id,
    marketId,
    type: told.type,
    value: told.value,
    values: told.values,
    alias: told.alias,
    description: told.description,
  }
}
