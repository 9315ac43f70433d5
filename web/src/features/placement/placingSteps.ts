/** Steps of placing that change no state of their own. Redux DevTools shows them, and listeners handle some of them. */
import { createAction } from '@reduxjs/toolkit'
import type { MatchId } from '../../domain/offer'
import type { PlacedOrder } from './placementStore'

/** Prices in thousandths by match. */
export type Prices = ReadonlyMap<MatchId, number>

/** The bettor confirmed the bet. */
export const betConfirmed = createAction('placement/betConfirmed')

/** The bettor accepted the changes because of which the bet was rejected, at the prices in the dialog. */
export const changesAccepted = createAction('placement/changesAccepted', (prices: Prices) => ({
  payload: [...prices],
}))

/** The storage had a bet when placing was started. */
export const orderResumed = createAction<PlacedOrder>('placement/orderResumed')

/** Another tab began a bet, stored an outcome, or removed the bet. */
export const storedElsewhere = createAction<PlacedOrder | null>('placement/storedElsewhere')

/** The order was sent, or with `isQuestion` a request that only asks whether its key was used. */
export const requestSent = createAction<{ key: string; isQuestion: boolean }>('placement/requestSent')

/** The status is 0 if there was no answer. */
export const requestAnswered = createAction<{ key: string; status: number }>('placement/requestAnswered')
