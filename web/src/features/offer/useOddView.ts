import { useTranslation } from 'react-i18next'
import { shallowEqual } from 'react-redux'
import { useAppSelector } from '../../app/hooks'
import type { RootState } from '../../app/store'
import type { OddsButtonProps } from '../../components/OddsButton'
import { formatOdd, NO_PRICE } from '../../domain/oddsFormat'
import type { MatchId, OddId } from '../../domain/offer'
import { selectOddsFormat } from '../preferences/preferencesSelectors'
import { selectIsPicked } from '../ticket/ticketSelectors'
import { oddLabel } from './oddLabel'
import { selectIsBettable, selectIsHiddenOdd, selectMovement, selectOdd } from './offerSelectors'

export type OddView = Pick<
  OddsButtonProps,
  'oddId' | 'label' | 'picked' | 'price' | 'state' | 'movement' | 'flash' | 'spokenState' | 'spokenMovement'
>

/**
 * Everything an odds button shows of its odd; null where the odd is not to be shown at all. It hears its own odd
 * alone: a price that moves renders one button.
 */
export function useOddView(matchId: MatchId, oddId: OddId, label?: string): OddView | null {
  const { t } = useTranslation()
  const facts = useAppSelector((state) => selectFacts(state, matchId, oddId), shallowEqual)
  if (!facts) {
    return null
  }
  const { direction, flash, price, isBettable, ownLabel } = facts
  const state = stateOf(isBettable, price)
  return {
    oddId,
    label: label ?? ownLabel,
    price,
    state,
    picked: facts.isPicked,
    movement: direction === 1 ? 'up' : direction === -1 ? 'down' : undefined,
    flash,
    spokenState: t(SPOKEN[state]),
    spokenMovement: direction === undefined ? undefined : t(direction === 1 ? 'oddRises' : 'oddFalls'),
  }
}

const SPOKEN = { open: 'oddPrice', locked: 'oddLocked', none: 'oddNone' } as const

function stateOf(isBettable: boolean, price: string): OddsButtonProps['state'] {
  if (!isBettable) {
    return 'locked'
  }
  return price === NO_PRICE ? 'none' : 'open'
}

function selectFacts(state: RootState, matchId: MatchId, oddId: OddId) {
  const odd = selectOdd(state, oddId)
  if (!odd || selectIsHiddenOdd(state, matchId, oddId)) {
    return null
  }
  const movement = selectMovement(state, oddId)
  return {
    price: formatOdd(odd.value, selectOddsFormat(state), odd.values),
    ownLabel: oddLabel(odd),
    direction: movement?.direction,
    flash: movement?.flash != null,
    isBettable: selectIsBettable(state, matchId),
    isPicked: selectIsPicked(state, oddId),
  }
}
