/** Taxes and limits (CONTRACT 2 and 4). The contract's defaults apply until the server has sent its own. */

export interface TaxRule {
  readonly type: 'stake' | 'win'
  /** The lower limit of the bracket: from <= amount < to. */
  readonly from: string
  /** The upper limit; null for none. */
  readonly to: string | null
  /** A decimal text. */
  readonly percentage: string
}

/** The taxes and limits of a ticket. */
export interface TicketRules {
  readonly tax: readonly TaxRule[]
  readonly minStake: string
  readonly maxStake: string
  readonly maxPayout: string
  readonly maxTotalOdd: string
  /** `marginal`: each bracket taxes the part of the amount inside it; `whole`: one bracket taxes the whole amount. */
  readonly winTaxMode: 'marginal' | 'whole'
  /** The amount that is taxed: the profit or the whole win. */
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
