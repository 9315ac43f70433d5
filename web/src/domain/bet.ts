/** A placed bet, and what becomes of it. Amounts and factors are exact decimal texts. */
import type { MatchId, OddId, SportId } from './offer'

export const BET_STATES = ['open', 'won', 'lost', 'void', 'cashed_out'] as const
export type BetState = (typeof BET_STATES)[number]

export const PAIR_RESULTS = ['open', 'won', 'lost', 'void', 'half_won', 'half_lost', 'dead_heat'] as const
export type PairResult = (typeof PAIR_RESULTS)[number]

/** What became of a pair. */
export interface Graded {
  readonly result: PairResult
  readonly settledAt: number | null
  /** What the pair counts as: the odd taken, 0, 1 or between. Null while it is not decided. */
  readonly factor: string | null
  /** The provider's reason for a result that is not an ordinary one. */
  readonly reason: string | null
}

export interface BetPair extends Graded {
  readonly matchId: MatchId
  /** Null from older servers. */
  readonly oddId: OddId | null
  readonly sportId: SportId | null
  readonly home: string
  readonly away: string
  readonly tournament: string
  readonly marketName: string
  /** Null from servers that do not send it. */
  readonly marketType: number | null
  /** Null from servers that do not send it. */
  readonly oddType: string | null
  readonly oddName: string
  readonly sbv: string | null
  /** In thousandths. */
  readonly oddValue: number
  readonly isFix: boolean
}

export interface Payout {
  readonly gross: string
  readonly winTax: string
  readonly paid: string
}

export interface Settlement extends Payout {
  /** 1 for the first settlement of the bet. More than 1: earlier ones were corrected. */
  readonly number: number
  readonly at: number
  readonly reason: string | null
}

/** A settlement with the state that it gave the bet. */
export interface MadeSettlement extends Settlement {
  readonly state: BetState
}

/** A bet, or a share of it, that was paid before it was decided. */
export interface CashOut {
  readonly at: number
  /** Of what was left of the bet at that time: between 0 and 1. */
  readonly share: string
  readonly paid: string
}

/** The stake of the part of a bet that was not cashed out. */
export interface RestStake {
  readonly bruto: string
  /** After stake tax. */
  readonly taxedStake: string
}

/** The server cashes out the whole bet as soon as its net value reaches the amount. */
export interface CashOutRule {
  readonly atLeast: string
}

/** What cash-outs and their rules changed of a bet. */
export interface CashOutParts {
  readonly remaining: RestStake
  /** Oldest first. */
  readonly cashOuts: readonly CashOut[]
  readonly cashOutRule: CashOutRule | null
}

export interface Bet extends CashOutParts {
  readonly ticketId: string
  /** The number that people read and type, such as `K7Q-4M2X`. */
  readonly ticketNumber: string
  /** Grows with each change of the bet. */
  readonly revision: number
  readonly placedAt: number
  readonly state: BetState
  readonly settlement: Settlement | null
  /** What the bet pays if all pairs that are not decided are won. Null if the bet is not open. */
  readonly possible: Payout | null
  /** 0 for a standard bet, otherwise the k of the system. */
  readonly systemType: number
  /** After stake tax. */
  readonly stake: string
  readonly bruto: string
  readonly totalOdd: string
  /** The last three were promised when the bet was placed. */
  readonly potentialWin: string
  readonly winTax: string
  readonly payout: string
  readonly pairs: readonly BetPair[]
}

/** Why a bet changed. */
export const BET_CAUSES = ['pair_decided', 'settled', 'corrected', 'cashed_out', 'cash_out_rule'] as const
export type BetCause = (typeof BET_CAUSES)[number]

/** What changed of a bet. The parts of cash-outs are absent if they did not change. */
export interface BetProgress extends Partial<CashOutParts> {
  readonly ticketId: string
  readonly revision: number
  readonly state: BetState
  /** In the order of the pairs. */
  readonly results: readonly Graded[]
  readonly settlement: Settlement | null
  readonly possible: Payout | null
}

/** The money of an account. */
export interface AccountMoney {
  /** Grows with each change. */
  readonly revision: number
  readonly balance: string
  /** What the bettor owes after corrections. */
  readonly receivable: string
}
