/** The state of betting by one press, with which a store begins. */
import type { ReckonedTicket } from '../../domain/ticket/ticket'

/** A bet that is sent at `untilMs`, unless the bettor takes it back before. */
export interface OnePressBet {
  readonly ticket: ReckonedTicket
  readonly sinceMs: number
  readonly untilMs: number
}

/** Null: no bet waits. */
export type OnePressState = OnePressBet | null
