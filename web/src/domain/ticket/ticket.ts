/**
 * The ticket (CONTRACT 4), and the changes of it that are shown before the server acknowledges them (optimistic
 * update). Money and the total odd are exact decimals, as text.
 */
import type { MarketId, MatchId, OddId, SportId } from '../offer'

/** 0 standard, 1 system. */
export type TicketType = 0 | 1

/** Which odds changes the bettor accepts without being asked again. */
export const CONSENTS = ['higher', 'any', 'none'] as const
export type Consent = (typeof CONSENTS)[number]

/** Why a pair cannot be bet on. */
export const REASONS = [
  'feed_inactive',
  'feed_recovering',
  'match_gone',
  'betting_stopped',
  'match_suspended',
  'market_closed',
  'odd_withdrawn',
  'market_suspended',
  'market_settled',
] as const
export type Reason = (typeof REASONS)[number]

export interface TicketPair {
  readonly matchId: MatchId
  readonly marketId: MarketId
  readonly oddId: OddId
  readonly sportId: SportId
  readonly home: string
  readonly away: string
  readonly marketName: string
  readonly oddName: string
  readonly marketType: number
  readonly marketSubType: number | null
  readonly sbv: string | null
  readonly oddType: string
  /** The current price in thousandths; 0 if the odd is gone. */
  readonly oddValue: number
  /** The price in thousandths at the time of the pick. */
  readonly pickedValue: number
  readonly canBet: boolean
  readonly reason: Reason | null
  readonly isFix: boolean
}

/** The part of the ticket that the bettor chooses. */
export interface TicketChoice {
  readonly type: TicketType
  readonly stake: string
  readonly consent: Consent
  readonly pairs: readonly TicketPair[]
  /** The chosen k; null if none is chosen. */
  readonly combination: number | null
}

/** The part of the ticket that is calculated. */
export interface TicketTotals {
  readonly numberOfFixPairs: number
  /** The number of combinations of the ticket. */
  readonly numberOfOdds: number
  readonly totalOdd: string
  /** Whether the total odd was reduced to the maximum. */
  readonly clamped: boolean
  readonly stakeTaxPercentage: number
  readonly taxedStake: string
  readonly possibleWin: string
  readonly winTax: string
  readonly winTaxPercentage: number
  readonly taxedWin: string
  readonly possiblePayout: string
  readonly minWin: string
  readonly maxWin: string
  readonly systemCombinations: readonly SystemCombination[]
}

/** A ticket with its totals: those of the server, or those calculated here. */
export type ReckonedTicket = TicketChoice & TicketTotals

export interface SystemCombination {
  /** The k of the combinations. */
  readonly value: number
  readonly count: number
}

/** The ticket as the server sends it. It is always complete. */
export interface TicketInfo extends TicketChoice, TicketTotals {
  readonly minimumStake: string
}

/** A change of the ticket. All changes are idempotent: applying one twice has the same effect as once. */
export type TicketWish =
  | { readonly wish: 'pick'; readonly pair: TicketPair }
  | { readonly wish: 'drop'; readonly matchId: MatchId }
  | { readonly wish: 'fix'; readonly matchId: MatchId; readonly on: boolean }
  | { readonly wish: 'type'; readonly type: TicketType }
  | { readonly wish: 'combination'; readonly k: number | null }
  | { readonly wish: 'stake'; readonly text: string; readonly stake: string }
  | { readonly wish: 'consent'; readonly consent: Consent }
  | { readonly wish: 'clear' }

/** The ticket before the server has sent one. */
export const EMPTY_CHOICE: TicketChoice = { type: 0, stake: '1.00', consent: 'higher', pairs: [], combination: null }

/** The ticket with a change applied; the same object if the change has no effect. */
export function withWish<T extends TicketChoice>(ticket: T, wish: TicketWish): T {
  switch (wish.wish) {
    case 'pick':
      return withPairs(ticket, withPair(ticket.pairs, wish.pair))
    case 'drop':
      return withPairs(ticket, without(ticket.pairs, wish.matchId))
    case 'fix':
      return withPairs(ticket, withFix(ticket.pairs, wish.matchId, wish.on))
    case 'type':
      return ticket.type === wish.type ? ticket : { ...ticket, type: wish.type }
    case 'combination':
      return ticket.combination === wish.k ? ticket : withPairs({ ...ticket, combination: wish.k }, ticket.pairs)
    case 'stake':
      return ticket.stake === wish.stake ? ticket : { ...ticket, stake: wish.stake }
    case 'consent':
      return ticket.consent === wish.consent ? ticket : { ...ticket, consent: wish.consent }
    case 'clear':
      return ticket.pairs.length === 0 ? ticket : withPairs(ticket, [])
  }
}

/**
 * Whether a pair cannot be bet on only because the feed is down. It may become available again, so the bettor need not
 * remove it.
 */
export function waitsForFeed({ canBet, reason }: Pick<TicketPair, 'canBet' | 'reason'>): boolean {
  return !canBet && (reason === 'feed_inactive' || reason === 'feed_recovering')
}

/** The number of pairs that are not fix (the contract's m), for both ticket types. */
export function freePairs({ pairs }: Pick<TicketChoice, 'pairs'>): number {
  return pairs.filter((pair) => !pair.isFix).length
}

/** Replaces the pairs. A chosen combination that no longer exists is reset. */
function withPairs<T extends TicketChoice>(ticket: T, pairs: readonly TicketPair[]): T {
  const exists = ticket.combination !== null && ticket.combination < freePairs({ pairs })
  const combination = exists ? ticket.combination : null
  const same = pairs === ticket.pairs && combination === ticket.combination
  return same ? ticket : { ...ticket, pairs, combination }
}

/** Adds a pair. If the match has one already, it is replaced in its position and its fix flag is kept. */
function withPair(pairs: readonly TicketPair[], pair: TicketPair): readonly TicketPair[] {
  const held = pairs.find(({ matchId }) => matchId === pair.matchId)
  if (!held) {
    return [...pairs, pair]
  }
  if (held.oddId === pair.oddId) {
    return pairs
  }
  return pairs.map((other) => (other === held ? { ...pair, isFix: held.isFix } : other))
}

function without(pairs: readonly TicketPair[], matchId: MatchId): readonly TicketPair[] {
  return pairs.some((pair) => pair.matchId === matchId) ? pairs.filter((pair) => pair.matchId !== matchId) : pairs
}

function withFix(pairs: readonly TicketPair[], matchId: MatchId, on: boolean): readonly TicketPair[] {
  const changes = pairs.some((pair) => pair.matchId === matchId && pair.isFix !== on)
  return changes ? pairs.map((pair) => (pair.matchId === matchId ? { ...pair, isFix: on } : pair)) : pairs
}
