/** Taxes and limits (CONTRACT 2 and 4): data of the server, with the contract's defaults until it has told them. */

export interface TaxRule {
  readonly type: 'stake' | 'win'
  /** An amount; from <= x < to. */
  readonly from: string
  /** Null: no end. */
  readonly to: string | null
  /** With decimals where it has some. */
  readonly percentage: string
}

/** Taxes and limits, which are data. */
export interface TicketRules {
  readonly tax: readonly TaxRule[]
  readonly minStake: string
  readonly maxStake: string
  readonly maxPayout: string
  readonly maxTotalOdd: string
  /** The win tax of each bracket on the part within it, or of one bracket on all. */
  readonly winTaxMode: 'marginal' | 'whole'
  /** What of a win is taxed. */
  readonly taxableWin: 'profit' | 'win'
}

export const DEFAULT_RULES: TicketRules = {
  tax: [],
  minStake: '1.00',
  maxStake: '1000000.00',
  maxPayout: '100000.00',
  maxTotalOdd: '100000',
  winTaxMode: 'marginal',
  taxableWin: 'profit',
}
