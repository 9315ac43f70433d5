import { centsOf, type StakeLimits, writeCents } from '../../domain/ticket/stake'
import { ONE_PRESS_CENTS_MAX } from '../preferences/preferencesSlice'
import { selectRules } from './rulesSlice'

/** The least and the most that may be staked by one press. */
export function onePressLimits(state: Parameters<typeof selectRules>[0]): StakeLimits {
  const { minStake, maxStake } = selectRules(state)
  return { minStake, maxStake: centsOf(maxStake) < ONE_PRESS_CENTS_MAX ? maxStake : writeCents(ONE_PRESS_CENTS_MAX) }
}
