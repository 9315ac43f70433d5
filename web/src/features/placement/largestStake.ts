/** The largest stake that can be placed, as far as the page knows it: from the balance and the maximum stake. */
import type { AppDispatch, RootState } from '../../app/store'
import { centsOf, writeCents } from '../../domain/ticket/stake'
import { formatMoney } from '../../i18n/locale'
import { selectCurrency, selectUser } from '../../platform/account/accountSlice'
import { noticeShown } from '../../platform/notices/noticesSlice'
import { selectLanguage } from '../../platform/preferences/preferencesSelectors'
import { selectRules } from '../../platform/ticket/rulesSlice'
import { selectChoice } from '../../platform/ticket/ticketSelectors'
import { wished } from '../../platform/ticket/ticketSlice'

/** The largest stake if that of the ticket is above it, otherwise null. It can be below the minimum, even zero. */
export function selectLargestStake(state: RootState): string | null {
  const { maxStake } = selectRules(state)
  const balance = selectUser(state)?.balance ?? maxStake
  const [paid, most] = [centsOf(balance), centsOf(maxStake)]
  const largest = paid < most ? paid : most
  return centsOf(selectChoice(state).stake) > largest ? writeCents(largest < 0n ? 0n : largest) : null
}

/** Whether a stake is not below the minimum. */
export function selectIsEnough(state: RootState, stake: string): boolean {
  return centsOf(stake) >= centsOf(selectRules(state).minStake)
}

/** Whether the installation has a cashier, where money can be paid in. */
export function selectHasCashier(state: RootState): boolean {
  return (selectUser(state)?.cashier ?? 'none') !== 'none'
}

/** Lowers the stake of the ticket to the largest possible one, or shows why no stake is possible. */
export function stakeLowered(largest: string) {
  return (dispatch: AppDispatch, getState: () => RootState) => {
    const state = getState()
    if (selectIsEnough(state, largest)) {
      dispatch(wished({ wish: 'stake', text: largest, stake: largest }))
    } else {
      const balance = formatMoney(selectLanguage(state), largest, selectCurrency(state))
      dispatch(noticeShown('refusedNotEnoughBalance', { balance }))
    }
  }
}
