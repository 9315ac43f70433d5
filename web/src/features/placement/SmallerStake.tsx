import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { Button } from '../../components/Button'
import { centsOf } from '../../domain/ticket/stake'
import { useTranslation } from '../../i18n/useTranslation'
import { useMoney } from '../../platform/account/useMoney'
import { selectChoice } from '../../platform/ticket/ticketSelectors'
import { panelTurned } from '../../platform/view/viewSlice'
import { selectHasCashier, selectIsEnough, stakeLowered } from './largestStake'
import { leftStake } from './leftStake'
import styles from './PlacementDialogs.module.css'

/** What helps after a bet was rejected because of its stake: the largest one that is left, a deposit, or the limits. */
export function SmallerStake({ reason, onClose }: { reason: string; onClose: () => void }) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const money = useMoney()
  const left = leftStake(reason, t)
  const stake = useAppSelector((state) => selectChoice(state).stake)
  const isEnough = useAppSelector((state) => left !== null && selectIsEnough(state, left.amount))
  const hasCashier = useAppSelector(selectHasCashier)
  if (left === null) {
    return null
  }
  const open = (panel: 'cashier' | 'protection') => {
    onClose()
    dispatch(panelTurned(panel))
  }
  return (
    <>
      {isEnough && centsOf(left.amount) < centsOf(stake) && (
        <Button
          look="primary"
          className={styles.action}
          onClick={() => {
            onClose()
            dispatch(stakeLowered(left.amount))
          }}
        >
          {t('stakeLargest', { amount: money(left.amount) })}
        </Button>
      )}
      {left.isOfBalance && hasCashier && (
        <Button className={styles.action} onClick={() => open('cashier')}>
          {t('cashier_deposit')}
        </Button>
      )}
      {left.isOwnLimit && (
        <Button className={styles.action} onClick={() => open('protection')}>
          {t('limitsOpen')}
        </Button>
      )}
    </>
  )
}
