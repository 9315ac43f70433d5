/** The most that can be staked, as far as the page knows it: from the balance and the maximum stake. */
import type { RootState } from '../../app/store'
import { centsOf } from '../../domain/ticket/stake'
import { selectUser } from '../account/accountSlice'
import { selectRules } from './rulesSlice'

/** Null before a login, and if the balance is below the minimum stake. */
export function selectMostStake(state: RootState): string | null {
  const { minStake, maxStake } = selectRules(state)
  const balance = selectUser(state)?.balance
  if (balance == null || centsOf(balance) < centsOf(minStake)) {
    return null
  }
  return centsOf(balance) < centsOf(maxStake) ? balance : maxStake
}
