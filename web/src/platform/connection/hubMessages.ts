/**
 * Redux actions for the hub's messages to one session. The connection dispatches one for each message, and slices and
 * listeners handle it. Must contain no logic.
 */
import { createAction } from '@reduxjs/toolkit'
import type { ToldCashOutValue } from '../../domain/cashOut'
import type { MatchId } from '../../domain/offer'
import type { TicketInfo } from '../../domain/ticket/ticket'

/** The hub sent the whole ticket of the session. */
export const ticketReceived = createAction<TicketInfo>('connection/ticketReceived')

/** The hub sent all favourites of the session. */
export const favouritesReceived = createAction<readonly MatchId[]>('connection/favouritesReceived')

/** The hub sent the name of the signed-in user; null for an anonymous session. */
export const accountReceived = createAction<string | null>('connection/accountReceived')

/**
 * Cash-out values of open bets arrived: first those of all open bets, later only those that changed. `nowMs` is the
 * time of arrival by the browser's clock.
 */
export const cashOutValuesReceived = createAction(
  'connection/cashOutValuesReceived',
  (values: readonly ToldCashOutValue[], nowMs: number) => ({ payload: { values, nowMs } }),
)
