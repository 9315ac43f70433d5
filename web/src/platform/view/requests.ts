/** Events by which one feature asks for something that another one shows. */
import { createAction } from '@reduxjs/toolkit'

/** The bets page is opened for a bet, by its ticket id, or has shown it. */
export const betAsked = createAction<string | null>('bets/betAsked')

/** The receipt of a bet is to be printed, by its ticket id. */
export const printAsked = createAction<string>('bets/printAsked')

/** A login that placing had caused succeeded, and the ticket is shown again. */
export const placingResumed = createAction('placement/resumed')
