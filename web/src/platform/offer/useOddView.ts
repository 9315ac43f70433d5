import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { shallowEqual } from 'react-redux'
import { useAppSelector } from '../../app/hooks'
import type { RootState } from '../../app/store'
import type { OddsButtonProps } from '../../components/OddsButton'
import { formatOdd, NO_PRICE } from '../../domain/oddsFormat'
import type { MatchId, Movement, OddId } from '../../domain/offer'
import { useTranslation } from '../../i18n/useTranslation'
import { selectOddsFormat } from '../preferences/preferencesSelectors'
import { selectIsPicked } from '../ticket/ticketSelectors'
import { oddLabel } from './oddLabel'
import {
  selectIsBettable,
  selectIsHiddenOdd,
  selectMarket,
  selectMatch,
  selectMovement,
  selectOdd,
  selectOfferStatus,
} from './offerSelectors'

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
  const select = useMemo(() => factsSelector(matchId, oddId), [matchId, oddId])
  const facts = useAppSelector(select, shallowEqual)
  if (!facts) {
    return null
  }
  const { direction, flash, price, isBettable, ownLabel, barred } = facts
  const state = stateOf(isBettable, price)
  const words = wordsIn(t)
  return {
    oddId,
    label: label ?? ownLabel,
    price,
    state,
    picked: facts.isPicked,
    movement: direction === 1 ? 'up' : direction === -1 ? 'down' : undefined,
    flash,
    spokenState: barred ? t(barred) : words[state],
    spokenMovement: direction === undefined ? undefined : direction === 1 ? words.rises : words.falls,
  }
}

interface Words {
  readonly open: string
  readonly locked: string
  readonly none: string
  readonly rises: string
  readonly falls: string
}

const known = new WeakMap<TFunction, Words>()

/** What is said of an odd, looked up once a language: hundreds of odds render each second. */
function wordsIn(t: TFunction): Words {
  let words = known.get(t)
  if (!words) {
    words = {
      open: t('oddPrice'),
      locked: t('oddLocked'),
      none: t('oddNone'),
      rises: t('oddRises'),
      falls: t('oddFalls'),
    }
    known.set(t, words)
  }
  return words
}

function stateOf(isBettable: boolean, price: string): OddsButtonProps['state'] {
  if (!isBettable) {
    return 'locked'
  }
  return price === NO_PRICE ? 'none' : 'open'
}

interface Facts {
  readonly price: string
  readonly ownLabel: string
  readonly direction: Movement | undefined
  readonly flash: boolean
  readonly isBettable: boolean
  readonly isPicked: boolean
  /** Why the bettor cannot bet at all: an exclusion. */
  readonly barred: NonNullable<RootState['protection']>['barred'] | undefined
}

/**
 * The facts of one odd. It is asked at every change of anything, for every odd in sight: where nothing it looks at is
 * another object than the last time, it says the same without working it out.
 */
function factsSelector(matchId: MatchId, oddId: OddId): (state: RootState) => Facts | null {
  let seen: readonly unknown[] = []
  let facts: Facts | null = null
  return (state) => {
    const odd = selectOdd(state, oddId)
    const market = odd && selectMarket(state, odd.marketId)
    const movement = selectMovement(state, oddId)
    const format = selectOddsFormat(state)
    const isPicked = selectIsPicked(state, oddId)
    const barred = state.protection?.barred
    const now = [odd, market, selectMatch(state, matchId), movement, format, isPicked, selectOfferStatus(state), barred]
    if (now.every((part, place) => part === seen[place]) && seen.length > 0) {
      return facts
    }
    seen = now
    facts =
      !odd || selectIsHiddenOdd(state, matchId, oddId)
        ? null
        : {
            price: formatOdd(odd.value, format, odd.values),
            ownLabel: oddLabel(odd),
            direction: movement?.direction,
            flash: movement?.flash === true,
            isBettable: !barred && market?.isSuspended !== true && selectIsBettable(state, matchId),
            isPicked,
            barred,
          }
    return facts
  }
}
