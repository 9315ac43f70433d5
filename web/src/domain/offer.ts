/**
 * The client's normalised offer (CONTRACT 0): a match lists the ids of its markets, a market those of its odds. Data
 * that changes with every price (revisions, movement marks) is separate, in {@link MatchParts}. So a match is not a new
 * object when one of its prices moves.
 */
import { emptyTable, type Table } from './table'

export type SportId = number
export type MatchId = number
export type MarketId = number
export type OddId = number

/** `[home, away]`. */
export type Pair<T = number> = readonly [home: T, away: T]

/** 1 home, 2 away. */
export type Side = 1 | 2

export interface Sport {
  readonly id: SportId
  readonly name: string | null
  readonly order: number
  readonly preferred: readonly PreferredColumn[]
  /** The `order` of the column that is shown by default. */
  readonly selectedPreferred: number | null
}

export interface PreferredColumn {
  readonly order: number
  readonly name: string | null
  /** What its cells show: types or aliases of odds, such as `1`, `X`, `2`. */
  readonly fields: readonly string[]
  readonly hidden: boolean
  readonly markets: readonly ColumnMarket[]
}

export interface ColumnMarket {
  /** A market type (the contract calls the field `marketId`). */
  readonly marketType: number
  /** The only match status for which the entry applies; null or empty means any. */
  readonly status: string | null
  readonly format: string | null
}

/** The clock of a match: running since a moment of the server's time, stopped, or a text. */
export type Clock =
  | { readonly kind: 'running'; readonly zeroMs: number }
  | { readonly kind: 'stopped'; readonly seconds: number }
  | { readonly kind: 'text'; readonly text: string }

/** The position of the ball, in per cent of the pitch, seen from the home goal. */
export interface Ball {
  readonly x: number
  readonly y: number
  /** 1 home, 2 away, 0 neither. */
  readonly side: number
  /** From 0 possession to 12 offside (docs/protocol.md, BALL). */
  readonly action: number
}

export interface Match {
  readonly id: MatchId
  readonly sportId: SportId
  readonly status: string | null
  readonly home: string | null
  readonly away: string | null
  readonly betting: boolean
  readonly suspended: boolean | null
  readonly order: number
  readonly score: Pair | null
  readonly scores: readonly Pair[]
  readonly sportName: string | null
  readonly clock: Clock | null
  readonly clockStopped: boolean | null
  readonly tournament: string | null
  readonly tournamentDescription: string | null
  readonly result: string | null
  readonly performEventId: number | null
  readonly performEventType: string | null
  readonly redCards: Pair | null
  readonly yellowCards: Pair | null
  readonly corners: Pair | null
  readonly playerServing: number | null
  readonly tiebreak: boolean | null
  readonly game: Pair<string> | null
  /** The number of odds in all markets, including those of the detail. */
  readonly numberOfOdds: number
  /** The markets that preferred columns show, in the feed's order. */
  readonly rowMarketIds: readonly MarketId[]
  /** All other markets; empty unless the detail is loaded. */
  readonly detailMarketIds: readonly MarketId[]
  /** The order of all markets; null unless the detail is loaded. */
  readonly layout: readonly MarketId[] | null
  readonly ball: Ball | null
}

export interface Market {
  readonly id: MarketId
  readonly matchId: MatchId
  readonly name: string | null
  readonly short: string | null
  readonly special: string | null
  readonly sbv: string | null
  readonly type: number
  readonly subtype: number | null
  readonly order: number
  readonly balanced: boolean | null
  readonly description: string | null
  readonly tags: readonly string[]
  /** Whether this market alone is suspended: its prices are shown, but cannot be picked. */
  readonly isSuspended: boolean
  readonly oddIds: readonly OddId[]
}

export interface Odd {
  readonly id: OddId
  readonly marketId: MarketId
  readonly type: string | null
  /** The decimal price in integer thousandths: 1850 is 1.85, 0 means not offered. */
  readonly value: number
  /** Texts by odds format, if the feed sends them. */
  readonly values: readonly (string | null)[] | null
  readonly alias: string | null
  readonly description: string | null
}

/** How an odd moved: 1 up, -1 down. */
export type Movement = 1 | -1

/** One part of a match (row or detail), with its own revision. */
export interface Part {
  readonly revision: number
  /** The odds with a movement mark. */
  readonly marks: Readonly<Record<OddId, Movement>>
}

/** The protocol state of a match, apart from its displayed data. */
export interface MatchParts {
  readonly id: MatchId
  readonly row: Part
  /** Null unless the detail is loaded. */
  readonly detail: Part | null
}

/** The whole offer. */
export interface Offer {
  readonly sports: Table<Sport>
  readonly matches: Table<Match>
  readonly markets: Table<Market>
  readonly odds: Table<Odd>
  readonly parts: Table<MatchParts>
}

export const EMPTY_OFFER: Offer = {
  sports: emptyTable(),
  matches: emptyTable(),
  markets: emptyTable(),
  odds: emptyTable(),
  parts: emptyTable(),
}

/** Whether a match can be bet on (CONTRACT 0). */
export function isBettable(match: Pick<Match, 'betting' | 'suspended'>): boolean {
  return match.betting && match.suspended !== true
}

/** Sort order of sports and matches: by `order`, then by id. */
export function byOrder(
  a: { readonly order: number; readonly id: number },
  b: { readonly order: number; readonly id: number },
): number {
  return a.order - b.order || a.id - b.id
}
