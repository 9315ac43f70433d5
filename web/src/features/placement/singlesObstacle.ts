/** Why the singles of the ticket cannot be placed yet. */
import type { RootState } from '../../app/store'
import { centsOf } from '../../domain/ticket/stake'
import { formatMoney } from '../../i18n/locale'
import { selectCurrency, selectUser } from '../../platform/account/accountSlice'
import { selectLanguage } from '../../platform/preferences/preferencesSelectors'
import { selectRules } from '../../platform/ticket/rulesSlice'
import { selectSingles, sumOf } from '../../platform/ticket/singlesSlice'
import { selectChoice } from '../../platform/ticket/ticketSelectors'
import { obstacleTo } from '../../platform/ticket/totalsSelectors'

interface Obstacle {
  readonly key: NonNullable<ReturnType<typeof obstacleTo>> | 'stakeMin' | 'stakeMax' | 'refusedNotEnoughBalance'
  readonly values: { readonly amount: string; readonly balance: string }
}

const NO_VALUES = { amount: '', balance: '' }

/** A notice with its values; null if they can be placed. */
export function obstacleToSingles(state: RootState): Obstacle | null {
  const key = obstacleTo({ ...selectChoice(state), type: 0, combination: null })
  if (key !== null) {
    return { key, values: NO_VALUES }
  }
  const money = (amount: string) => formatMoney(selectLanguage(state), amount, selectCurrency(state))
  const { minStake, maxStake } = selectRules(state)
  const stakes = selectSingles(state).map(({ stake }) => centsOf(stake))
  if (stakes.some((stake) => stake < centsOf(minStake))) {
    return { key: 'stakeMin', values: { ...NO_VALUES, amount: money(minStake) } }
  }
  if (stakes.some((stake) => stake > centsOf(maxStake))) {
    return { key: 'stakeMax', values: { ...NO_VALUES, amount: money(maxStake) } }
  }
  const balance = selectUser(state)?.balance ?? null
  if (balance !== null && centsOf(sumOf(selectSingles(state), 'stake')) > centsOf(balance)) {
    return { key: 'refusedNotEnoughBalance', values: { ...NO_VALUES, balance: money(balance) } }
  }
  return null
}
