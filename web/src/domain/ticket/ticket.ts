/**
 * The ticket as the server tells it (CONTRACT 4) and as the bettor wants it: what is asked for is laid over what was
 * told until the server has said what came of it. Money and the total odd are exact decimals, as text.
 */
import type { MarketId, MatchId, OddId, SportId } from '../offer'

/** 0 standard, 1 system. */
export type TicketType = 0 | 1

/** Which changes of an odd are taken without being asked again. */
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
  /** In thousandths; 0 where it is gone. */
  readonly oddValue: number
  /** In thousandths, when it was picked. */
  readonly pickedValue: number
  readonly canBet: boolean
  readonly reason: Reason | null
  readonly isFix: boolean
}

/** What the bettor decides. */
export interface TicketChoice {
  readonly type: TicketType
  readonly stake: string
  readonly consent: Consent
  readonly pairs: readonly TicketPair[]
  /** The chosen k; null: none. */
  readonly combination: number | null
}

/** What follows from it. */
export interface TicketTotals {
  readonly numberOfFixPairs: number
  /** How many combinations the ticket has. */
  readonly numberOfOdds: number
  readonly totalOdd: string
  /** Whether the total odd is the highest one that is paid, and would be more. */
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

export interface SystemCombination {
  /** The k. */
  readonly value: number
  readonly count: number
}

/** The ticket as it is told, all of it each time. */
export interface TicketInfo extends TicketChoice, TicketTotals {
  readonly minimumStake: string
}

/** What the bettor wants of the ticket, said so that saying it twice does what saying it once does. */
export type TicketWish =
  | { readonly wish: 'pick'; readonly pair: TicketPair }
  | { readonly wish: 'drop'; readonly matchId: MatchId }
  | { readonly wish: 'fix'; readonly matchId: MatchId; readonly on: boolean }
  | { readonly wish: 'type'; readonly type: TicketType }
  | { readonly wish: 'combination'; readonly k: number | null }
  | { readonly wish: 'stake'; readonly text: string; readonly stake: string }
  | { readonly wish: 'consent'; readonly consent: Consent }
  | { readonly wish: 'clear' }

/** The ticket of a session that nobody has told anything of yet. */
export const EMPTY_CHOICE: TicketChoice = { type: 0, stake: '1.00', consent: 'none', pairs: [], combination: null }

/** The ticket once a wish has come true; the same one where it is true already. */
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

/** How many pairs are not fixed (the contract's m), whatever the type. */
export function freePairs({ pairs }: Pick<TicketChoice, 'pairs'>): number {
  return pairs.filter((pair) => !pair.isFix).length
}

/** A combination that no longer exists is chosen no longer. */
function withPairs<T extends TicketChoice>(ticket: T, pairs: readonly TicketPair[]): T {
  const exists = ticket.combination !== null && ticket.combination < freePairs({ pairs })
  const combination = exists ? ticket.combination : null
  const same = pairs === ticket.pairs && combination === ticket.combination
  return same ? ticket : { ...ticket, pairs, combination }
}

/** Another odd of a match takes the place of the one before, as fixed as that was. */
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
