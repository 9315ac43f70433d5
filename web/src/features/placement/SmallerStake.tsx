import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { Button } from '../../components/Button'
import { centsOf } from '../../domain/ticket/stake'
import { useTranslation } from '../../i18n/useTranslation'
import { selectUser } from '../../platform/account/accountSlice'
import { selectExclusion } from '../../platform/account/protectionSlice'
import { useMoney } from '../../platform/account/useMoney'
import { selectChoice } from '../../platform/ticket/ticketSelectors'
import { panelTurned } from '../../platform/view/viewSlice'
import { selectHasCashier, selectIsEnough, selectLargestStake, stakeLowered } from './largestStake'
import styles from './PlacementDialogs.module.css'

interface SmallerStakeProps {
  /** The stake that an own limit leaves, if that is the reason. */
  left: string | undefined
  onClose: () => void
}

/**
 * The buttons after a rejection: the largest stake that is left, a deposit or the limits, if the stake was the reason,
 * and the one that closes the dialog.
 */
export function SmallerStake({ left, onClose }: SmallerStakeProps) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const money = useMoney()
  const stake = useAppSelector((state) => selectChoice(state).stake)
  const largest = useAppSelector(selectLargestStake)
  const balance = useAppSelector(selectUser)?.balance
  const isBarred = useAppSelector(selectExclusion) !== null
  const hasCashier = useAppSelector(selectHasCashier)
  // Without an own limit only the balance and the largest stake of the installation can be the reason.
  const most = left !== undefined && (largest === null || centsOf(left) < centsOf(largest)) ? left : largest
  const isEnough = useAppSelector((state) => most !== null && selectIsEnough(state, most))
  const canLower = !isBarred && most !== null && isEnough && centsOf(most) < centsOf(stake)
  const needsDeposit = !isBarred && hasCashier && largest !== null && largest === balance
  const open = (panel: 'cashier' | 'protection') => {
    onClose()
    dispatch(panelTurned(panel))
  }
  return (
    <>
      {canLower && (
        <Button
          look="primary"
          className={styles.action}
          onClick={() => {
            onClose()
            dispatch(stakeLowered(most))
          }}
        >
          {t('stakeLargest', { amount: money(most) })}
        </Button>
      )}
      {needsDeposit && (
        <Button className={styles.action} onClick={() => open('cashier')}>
          {t('cashier_deposit')}
        </Button>
      )}
      {left !== undefined && (
        <Button className={styles.action} onClick={() => open('protection')}>
          {t('limitsOpen')}
        </Button>
      )}
      <Button look={canLower ? 'quiet' : 'primary'} className={styles.action} autoFocus onClick={onClose}>
        {t('ok')}
      </Button>
    </>
  )
}
