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

interface SmallerStakeProps {
  /** The server's text. */
  reason: string
  onClose: () => void
}

/**
 * The buttons after a rejection: the largest stake that is left, a deposit or the limits, if the stake was the reason,
 * and the one that closes the dialog.
 */
export function SmallerStake({ reason, onClose }: SmallerStakeProps) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const money = useMoney()
  const left = leftStake(reason, t)
  const stake = useAppSelector((state) => selectChoice(state).stake)
  const isEnough = useAppSelector((state) => left !== null && selectIsEnough(state, left.amount))
  const hasCashier = useAppSelector(selectHasCashier)
  const canLower = left !== null && isEnough && centsOf(left.amount) < centsOf(stake)
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
            dispatch(stakeLowered(left.amount))
          }}
        >
          {t('stakeLargest', { amount: money(left.amount) })}
        </Button>
      )}
      {left?.isOfBalance && hasCashier && (
        <Button className={styles.action} onClick={() => open('cashier')}>
          {t('cashier_deposit')}
        </Button>
      )}
      {left?.isOwnLimit && (
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
