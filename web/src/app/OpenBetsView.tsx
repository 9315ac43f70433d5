/** The open bets in the ticket column, with the cash-out of each, which is another feature. */
import type { Bet } from '../domain/bet'
import { OpenBets } from '../features/bets/OpenBets'
import { CashOut } from '../features/cashOut/CashOut'

export function OpenBetsView() {
  return <OpenBets cashOutOf={cashOutOf} />
}

function cashOutOf(bet: Bet) {
  return <CashOut bet={bet} />
}
