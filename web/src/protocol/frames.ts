/**
 * Types of the decoded hub messages (docs/protocol.md). The `Told…` types are nested objects as the server sends them;
 * the offer in the store keeps them normalised.
 */
import type { Ball, Market, MarketId, Match, MatchId, Movement, Odd, Side, Sport, SportId } from '../domain/offer'
import type { TicketInfo } from '../domain/ticket/ticket'

/** Inactive: there is no offer. Recovering: the offer is shown, but betting is closed. Active: normal operation. */
export type FeedState = 'inactive' | 'recovering' | 'active'

export interface ToldOdd extends Omit<Odd, 'marketId'> {
  readonly changed: Movement | 0
}

export interface ToldMarket extends Omit<Market, 'matchId' | 'oddIds'> {
  readonly odds: readonly ToldOdd[]
}

export interface ToldMatch extends Omit<Match, 'rowMarketIds' | 'detailMarketIds' | 'layout'> {
  /** The markets of the row; all markets if the whole match was requested. */
  readonly markets: readonly ToldMarket[]
  readonly rowRevision: number
  readonly detailRevision: number
}

export interface ToldSport extends Sport {
  readonly matches: readonly ToldMatch[]
}

/** The answer of `GET live/offer`. */
export interface ToldOffer {
  readonly sports: readonly ToldSport[]
  readonly dateMs: number | null
}

/** The fields of a match that can change without a full match message. */
export type MatchFields = Partial<{
  -readonly [Field in
    | 'status'
    | 'score'
    | 'scores'
    | 'clock'
    | 'betting'
    | 'suspended'
    | 'redCards'
    | 'yellowCards'
    | 'corners'
    | 'playerServing'
    | 'tiebreak'
    | 'game'
    | 'numberOfOdds'
    | 'order'
    | 'clockStopped'
    | 'performEventId']: Match[Field]
}>

/** A change of one part of a match. `place` is an index into all odds of the part, in the order of its markets. */
export interface PartChange {
  readonly markets: {
    /** All ids in their new order; null if the order is unchanged. */
    readonly order: readonly MarketId[] | null
    readonly told: readonly ToldMarket[]
  } | null
  /** New prices in thousandths. */
  readonly prices: readonly (readonly [place: number, value: number])[]
  /** Movement marks that do not follow from the new prices. */
  readonly marks: readonly (readonly [place: number, changed: Movement | 0])[]
  readonly values: readonly (readonly [place: number, values: Odd['values']])[]
  readonly fields: MatchFields
  readonly layout: readonly MarketId[] | null
  /** Undefined if the ball did not move. */
  readonly ball: Ball | null | undefined
  /** HISTORY, not decoded: only the scoreboard reads it. Undefined if it did not change. */
  readonly history?: unknown
}

export interface HelloMessage {
  readonly kind: 'hello'
  readonly session: string
  readonly serverTimeMs: number
  readonly feed: FeedState
  readonly version: string
  /** The run of the server. Revisions can be compared within one run only. */
  readonly run: string
}

export interface AckMessage {
  readonly kind: 'ack'
  readonly n: number
}

export interface ErrorMessage {
  readonly kind: 'error'
  readonly n: number | null
  readonly code: string
  readonly text: string
}

export interface FeedMessage {
  readonly kind: 'feed'
  readonly feed: FeedState
}

export interface MatchMessage {
  readonly kind: 'match'
  readonly match: ToldMatch
}

export interface PartChangeMessage {
  readonly kind: 'rowChange' | 'detailChange'
  readonly matchId: MatchId
  readonly follows: number
  readonly change: PartChange
}

export interface MatchDeletedMessage {
  readonly kind: 'matchDeleted'
  readonly matchId: MatchId
}

export interface SportMessage {
  readonly kind: 'sport'
  readonly sport: Sport
  /** All matches of the sport; the client must remove any others. Null if the message describes only the sport. */
  readonly matchIds: readonly MatchId[] | null
}

export interface SportRemovedMessage {
  readonly kind: 'sportRemoved'
  readonly sportId: SportId
}

export interface GoalMessage {
  readonly kind: 'goal'
  readonly matchId: MatchId
  readonly side: Side
}

export interface DetailMessage {
  readonly kind: 'detail'
  readonly matchId: MatchId
  readonly revision: number
  readonly layout: readonly MarketId[]
  readonly markets: readonly ToldMarket[]
  readonly ball: Ball | null
  /** HISTORY, not decoded. */
  readonly history?: unknown
}

export interface SportCheckMessage {
  readonly kind: 'sportCheck'
  readonly sportId: SportId
  readonly matches: number
  /** See `checkSum` in applyFrame.ts. */
  readonly sum: number
}

export interface MatchCheckMessage {
  readonly kind: 'matchCheck'
  readonly matchId: MatchId
  readonly rowRevision: number
  readonly detailRevision: number
}

export interface DateMessage {
  readonly kind: 'date'
  readonly dateMs: number
}

export interface NoticeMessage {
  readonly kind: 'notice'
  readonly what: string
}

export interface TicketMessage {
  readonly kind: 'ticket'
  readonly ticket: TicketInfo
}

export interface FavouritesMessage {
  readonly kind: 'favourites'
  readonly matchIds: readonly MatchId[]
}

/** The user of the session; null for an anonymous session. */
export interface AccountMessage {
  readonly kind: 'account'
  readonly user: string | null
}

/**
 * A message about bets, money or the protection of the bettor, not decoded: only code that loads after the first paint
 * reads it (readBets.ts, readRealityCheck.ts, readProtection.ts).
 */
export interface BetsMessage {
  readonly kind: 'bets'
  readonly raw: readonly unknown[]
}

/** Messages to one bettor only. */
export type BettorMessage = TicketMessage | FavouritesMessage | AccountMessage | BetsMessage

/** Messages about the offer. They are applied in the order they arrive. */
export type OfferMessage =
  | MatchMessage
  | PartChangeMessage
  | MatchDeletedMessage
  | SportMessage
  | SportRemovedMessage
  | GoalMessage
  | DetailMessage
  | SportCheckMessage
  | MatchCheckMessage
  | DateMessage

export type HubMessage =
  | HelloMessage
  | AckMessage
  | ErrorMessage
  | FeedMessage
  | NoticeMessage
  | BettorMessage
  | OfferMessage
