/** Betting by one press: a press on an odd places a single. Off by default, and only for a signed-in user. */
import { createAction } from '@reduxjs/toolkit'
import type { RootState } from '../../app/store'
import type { OddId } from '../../domain/offer'
import type { TicketPair } from '../../domain/ticket/ticket'
import { selectAccountStatus } from '../account/accountSlice'

/** The bettor pressed an odd. The pair has the price that was shown; null if it cannot be bet on. */
export const oddPressed = createAction<{ oddId: OddId; pair: TicketPair | null }>('onePress/oddPressed')

/** Whether a press on an odd places a bet. Until the part that places bets is loaded, odds go to the ticket. */
export const selectIsOnePress = (state: RootState) =>
  state.preferences.onePress && state.onePress !== undefined && selectAccountStatus(state) === 'member'
