/**
 * Builds offers for tests and for the fixture page. Callers pass the fields that matter; all others have defaults. Ids
 * are counters, so a test that needs a specific id must pass it.
 */
import type { PreferredColumn } from '../domain/offer'
import type { ToldMarket, ToldMatch, ToldOdd, ToldOffer, ToldSport } from '../protocol/frames'

let lastId = 1000

function nextId(): number {
  lastId += 1
  return lastId
}

export function anOdd(odd: Partial<ToldOdd> = {}): ToldOdd {
  return { id: nextId(), type: '1', value: 1850, values: null, alias: null, changed: 0, description: null, ...odd }
}

export function aMarket(market: Partial<ToldMarket> = {}): ToldMarket {
  return {
    id: nextId(),
    name: 'Konačan ishod',
    short: null,
    special: null,
    sbv: null,
    type: 1,
    subtype: 0,
    order: 1,
    odds: [anOdd({ type: '1' }), anOdd({ type: 'X', value: 3200 }), anOdd({ type: '2', value: 4100 })],
    balanced: null,
    description: null,
    tags: ['group.Glavno'],
    isSuspended: false,
    ...market,
  }
}

/** A market of a total (over/under) with its line. */
export function aTotal(sbv: string, market: Partial<ToldMarket> = {}): ToldMarket {
  return aMarket({
    name: 'Ukupno golova',
    type: 18,
    sbv,
    tags: ['group.Golovi'],
    odds: [anOdd({ type: 'Manje', value: 1900 }), anOdd({ type: 'Više', value: 1900 })],
    ...market,
  })
}

export function aMatch(match: Partial<ToldMatch> = {}): ToldMatch {
  const markets = match.markets ?? [aMarket(), aTotal('2.5', { balanced: true })]
  return {
    id: nextId(),
    sportId: 1,
    status: 'first_half',
    home: 'Dinamo Zagreb',
    away: 'Hajduk Split',
    betting: true,
    suspended: null,
    order: 1,
    score: [0, 0],
    scores: [],
    sportName: 'Nogomet',
    clock: { kind: 'stopped', seconds: 600 },
    clockStopped: null,
    tournament: 'Hrvatska',
    tournamentDescription: '1. HNL',
    result: null,
    performEventId: null,
    performEventType: null,
    redCards: null,
    yellowCards: null,
    corners: null,
    playerServing: null,
    tiebreak: null,
    game: null,
    numberOfOdds: markets.reduce((sum, market) => sum + market.odds.length, 0),
    ball: null,
    rowRevision: 1,
    detailRevision: 1,
    ...match,
    markets,
  }
}

export function aColumn(column: Partial<PreferredColumn> = {}): PreferredColumn {
  return {
    order: 1,
    name: '1X2',
    fields: ['1', 'X', '2'],
    hidden: false,
    markets: [{ marketType: 1, status: null, format: '' }],
    ...column,
  }
}

export function aTotalColumn(column: Partial<PreferredColumn> = {}): PreferredColumn {
  return aColumn({
    order: 2,
    name: 'Ukupno golova',
    fields: ['Manje', 'Više'],
    markets: [{ marketType: 18, status: null, format: '{sbv}' }],
    ...column,
  })
}

export function aSport(sport: Partial<ToldSport> = {}): ToldSport {
  const id = sport.id ?? 1
  return {
    id,
    name: 'Nogomet',
    order: id,
    preferred: [aColumn(), aTotalColumn()],
    selectedPreferred: 1,
    ...sport,
    matches: (sport.matches ?? [aMatch()]).map((match) => ({ ...match, sportId: id })),
  }
}

export function anOffer(sports: readonly ToldSport[] = [aSport()]): ToldOffer {
  return { sports, dateMs: 1_700_000_000_000 }
}
