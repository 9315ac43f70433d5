/** The state of the bets before their reducer is loaded (`addBets`), which the first paint does not need. */
import type { Bet } from '../../domain/bet'

export interface BetsState {
  /** Whether the hub has sent all open bets. */
  known: boolean
  /** By ticket id. */
  held: Record<string, Bet>
  /** The name of their bettor. */
  owner: string | null
  /** The bet that is printed as a receipt. */
  printing: string | null
  /** The ticket id of the bet that the bets page shows first, if it was opened for one. */
  asked: string | null
}

export const NO_BETS: BetsState = { known: false, held: {}, owner: null, printing: null, asked: null }
