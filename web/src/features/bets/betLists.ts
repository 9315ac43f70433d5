/** Combines the pages of the server with what the hub has reported since. */
import type { BetsOf } from '../../api/accountApi'
import type { Bet } from '../../domain/bet'
import type { BetsState } from './betsState'

/** The open bets, newest first. They are all of them if the hub has reported them. */
export function openBets(held: BetsState['held'], pages: readonly Bet[] = []): readonly Bet[] {
  return combined(pages, held, 'open')
}

/** The settled bets of the pages and those that were settled since, newest first. */
export function settledBets(held: BetsState['held'], pages: readonly Bet[]): readonly Bet[] {
  return combined(pages, held, 'settled')
}

function combined(pages: readonly Bet[], held: BetsState['held'], of: BetsOf): readonly Bet[] {
  const bets = new Map(pages.map((bet) => [bet.ticketId, bet]))
  for (const bet of Object.values(held)) {
    if ((bets.get(bet.ticketId)?.revision ?? -1) <= bet.revision) {
      bets.set(bet.ticketId, bet)
    }
  }
  return [...bets.values()]
    .filter(({ state }) => (state === 'open') === (of === 'open'))
    .sort((a, b) => b.placedAt - a.placedAt)
}
