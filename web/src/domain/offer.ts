/**
 * The offer as the client holds it (CONTRACT 0), normalised: a match names its markets, a market its odds. What changes
 * with every price (revisions, movement marks) lies apart in {@link MatchParts}, so that a row is not a new object
 * when one of its prices moves.
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
  /** The `order` of the column shown at first. */
  readonly selectedPreferred: number | null
}

export interface PreferredColumn {
  readonly order: number
  readonly name: string | null
  /** The headings, such as `1`, `X`, `2`. */
  readonly fields: readonly string[]
  readonly hidden: boolean
  readonly markets: readonly ColumnMarket[]
}

export interface ColumnMarket {
  /** A market type (the contract calls the field `marketId`). */
  readonly marketType: number
  /** For this status only; null or empty: for any. */
  readonly status: string | null
  readonly format: string | null
}

/** The clock of a match: running since an instant of the server's time, standing, or a text. */
export type Clock =
  | { readonly kind: 'running'; readonly zeroMs: number }
  | { readonly kind: 'stopped'; readonly seconds: number }
  | { readonly kind: 'text'; readonly text: string }

/** Where the ball is, in per cent of the pitch seen from the home goal. */
export interface Ball {
  readonly x: number
  readonly y: number
  /** 1 home, 2 away, 0 nobody. */
  readonly side: number
  /** 0 possession … 12 offside: docs/protocol.md, BALL. */
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
  /** Of all its markets, those of the detail too. */
  readonly numberOfOdds: number
  /** The markets preferred columns show, in the feed's order. */
  readonly rowMarketIds: readonly MarketId[]
  /** All others; empty unless the detail is held. */
  readonly detailMarketIds: readonly MarketId[]
  /** The order of all markets, row's and rest; null unless the detail is held. */
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
  readonly oddIds: readonly OddId[]
}

export interface Odd {
  readonly id: OddId
  readonly marketId: MarketId
  readonly type: string | null
  /** The decimal price in integer thousandths: 1850 is 1.85, 0 is not offered. */
  readonly value: number
  /** Texts by odds format, where the feed gives them. */
  readonly values: readonly (string | null)[] | null
  readonly alias: string | null
  readonly description: string | null
}

/** How an odd moved: 1 up, -1 down. */
export type Movement = 1 | -1

/** One part of a match as the protocol counts it. */
export interface Part {
  readonly revision: number
  /** The odds whose `changed` is not 0. */
  readonly marks: Readonly<Record<OddId, Movement>>
}

/** What the protocol knows of a match beside what it shows. */
export interface MatchParts {
  readonly id: MatchId
  readonly row: Part
  /** Null unless the detail is held. */
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

/** Sports and matches are shown by (`order`, id). */
export function byOrder(
  a: { readonly order: number; readonly id: number },
  b: { readonly order: number; readonly id: number },
): number {
  return a.order - b.order || a.id - b.id
}
