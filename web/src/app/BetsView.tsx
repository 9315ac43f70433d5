/** My bets with the sums of the day and the cash-out of each open bet, which are other features. */
import type { Bet } from '../domain/bet'
import { BetsPage } from '../features/bets/BetsPage'
import { CashOut } from '../features/cashOut/CashOut'
import { DaySummary } from '../features/statement/DaySummary'

export function BetsView() {
  return <BetsPage cashOutOf={cashOutOf} day={<DaySummary />} />
}

function cashOutOf(bet: Bet) {
  return <CashOut bet={bet} />
}
