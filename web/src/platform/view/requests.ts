/** Events by which one feature asks for something that another one shows. */
import { createAction } from '@reduxjs/toolkit'
import type { MatchId, OddId } from '../../domain/offer'
import type { TicketChoice, TicketType } from '../../domain/ticket/ticket'

/** The bets page is opened for a bet, by its ticket id, or has shown it. */
export const betAsked = createAction<string | null>('bets/betAsked')

/** The receipt of a bet is to be printed, by its ticket id. */
export const printAsked = createAction<string>('bets/printAsked')

/** A login that placing had caused succeeded, and the ticket is shown again. */
export const placingResumed = createAction('placement/resumed')

/** These pairs are to be on the ticket again: a ticket that was cleared, or that was placed. */
export const restoreAsked = createAction<TicketChoice>('ticket/restoreAsked')

/** A bet that is to be placed again, at the odds of now. */
export interface RepeatedBet {
  readonly type: TicketType
  readonly combination: number | null
  readonly stake: string
  readonly picks: readonly {
    readonly matchId: MatchId
    /** A bet does not name its markets. */
    readonly marketId: null
    readonly oddId: OddId
    readonly isFix: boolean
  }[]
}

export const repeatAsked = createAction<RepeatedBet>('ticket/repeatAsked')
