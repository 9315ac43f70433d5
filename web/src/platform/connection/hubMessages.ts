/**
 * The actions for the personal messages of the hub. The connection dispatches one per message, and each slice handles
 * its own.
 */
import { createAction } from '@reduxjs/toolkit'
import type { ToldCashOutValue } from '../../domain/cashOut'
import type { MatchId } from '../../domain/offer'
import type { TicketInfo } from '../../domain/ticket/ticket'

/** The whole ticket of the session. */
export const ticketReceived = createAction<TicketInfo>('connection/ticketReceived')

/** All favourites of the session. */
export const favouritesReceived = createAction<readonly MatchId[]>('connection/favouritesReceived')

/** The user of the session by name; null for an anonymous one. */
export const accountReceived = createAction<string | null>('connection/accountReceived')

/** Cash-out values of open bets: at first all of them, later those that changed. `nowMs` is the time of our clock. */
export const cashOutValuesReceived = createAction(
  'connection/cashOutValuesReceived',
  (values: readonly ToldCashOutValue[], nowMs: number) => ({ payload: { values, nowMs } }),
)
