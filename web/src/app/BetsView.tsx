/** My bets with the cash-out of each open bet, which is another feature. */
import type { Bet } from '../domain/bet'
import { BetsPage } from '../features/bets/BetsPage'
import { CashOut } from '../features/cashOut/CashOut'

export function BetsView() {
  return <BetsPage cashOutOf={cashOutOf} />
}

function cashOutOf(bet: Bet) {
  return <CashOut bet={bet} />
}
