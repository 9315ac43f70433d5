/** Keeps the ticket that waits for a login over a reload, in session storage under `cn-waitingTicket`. */
import type { ReckonedTicket } from '../../domain/ticket/ticket'
import { optional, record, text } from '../../protocol/read'
import { readTicket } from '../../protocol/readTicket'
import type { BrowserStorage } from '../preferences/preferencesStorage'

const KEY = 'cn-waitingTicket'

/** Several times the length of the longest ticket. */
const LENGTH_MAX = 65_536

const readOwner = optional(text)

export interface WaitingTicket {
  readonly ticket: ReckonedTicket
  /** The user that lost the session; null if the ticket was made without one. */
  readonly owner: string | null
}

/** The stored ticket; null if there is none, or if it is invalid. */
export function loadWaiting(storage: BrowserStorage): WaitingTicket | null {
  try {
    const stored = storage.getItem(KEY)
    if (stored === null || stored.length > LENGTH_MAX) {
      return null
    }
    const { ticket, owner } = record(JSON.parse(stored))
    const read = { ticket: readTicket(ticket), owner: readOwner(owner) }
    return read.ticket.pairs.length > 0 ? read : null
  } catch {
    return null
  }
}

export function saveWaiting(storage: BrowserStorage, waiting: WaitingTicket | null): void {
  try {
    const written = waiting && JSON.stringify({ owner: waiting.owner, ticket: asSent(waiting.ticket) })
    if (written !== null && written.length <= LENGTH_MAX) {
      storage.setItem(KEY, written)
    } else {
      storage.removeItem(KEY)
    }
  } catch {
    // Storage full or forbidden: it is kept only as long as the page is open.
  }
}

/** As the server sends a ticket, so that it is read by the same checks. */
function asSent({ combination, ...ticket }: ReckonedTicket) {
  return {
    minimumStake: '0',
    ...ticket,
    selectedSystemCombinations: combination,
    systemCombinations: ticket.systemCombinations.map(({ value, count }) => ({ combinationValue: value, count })),
    pairs: ticket.pairs.map((pair) => ({
      ...pair,
      oddValue: pair.oddValue / 1000,
      pickedValue: pair.pickedValue / 1000,
    })),
  }
}
