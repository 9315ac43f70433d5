/**
 * The messages of the hub as the client speaks of them (docs/protocol.md). *Told* is what arrives nested and whole; in
 * the offer it is normalised.
 */
import type { Ball, Market, MarketId, Match, MatchId, Movement, Odd, Side, Sport, SportId } from '../domain/offer'
import type { TicketInfo } from '../domain/ticket/ticket'

/** Of the feed: no offer; the offer stays but nothing can be bet on; all is well. */
export type FeedState = 'inactive' | 'recovering' | 'active'

export interface ToldOdd extends Omit<Odd, 'marketId'> {
  readonly changed: Movement | 0
}

export interface ToldMarket extends Omit<Market, 'matchId' | 'oddIds'> {
  readonly odds: readonly ToldOdd[]
}

export interface ToldMatch extends Omit<Match, 'rowMarketIds' | 'detailMarketIds' | 'layout'> {
  /** Of its row, or all where the whole match was asked for. */
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

/** The fields of a match that change without the match being told whole. */
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

/** What changed in one part of a match. Places count all odds of the part, markets in their order. */
export interface PartChange {
  readonly markets: {
    /** All ids in their new order; null: as they are. */
    readonly order: readonly MarketId[] | null
    readonly told: readonly ToldMarket[]
  } | null
  /** New prices in thousandths, by place. */
  readonly prices: readonly (readonly [place: number, value: number])[]
  /** Marks that do not follow from the prices. */
  readonly marks: readonly (readonly [place: number, changed: Movement | 0])[]
  readonly values: readonly (readonly [place: number, values: Odd['values']])[]
  readonly fields: MatchFields
  readonly layout: readonly MarketId[] | null
  /** Undefined where it did not move. */
  readonly ball: Ball | null | undefined
  /** HISTORY as it came: the tracker alone reads it. Undefined where it did not go on. */
  readonly history?: unknown
}

export interface HelloMessage {
  readonly kind: 'hello'
  readonly session: string
  readonly serverTimeMs: number
  readonly feed: FeedState
  readonly version: string
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
  /** All its matches, whatever else is held of it being gone; null where the message is of the sport alone. */
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
  /** As it came. */
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

/** Whose session this is; null: nobody's yet. */
export interface AccountMessage {
  readonly kind: 'account'
  readonly user: string | null
}

/** What is said to the one bettor alone. */
export type BettorMessage = TicketMessage | FavouritesMessage | AccountMessage

/** What speaks of the offer, and is applied to it in the order it came. */
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
