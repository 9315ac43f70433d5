import { Alert } from '../../components/Alert'
import { centsOf } from '../../domain/ticket/stake'
import { useTranslation } from '../../i18n/useTranslation'
import { useMoney } from '../account/useMoney'
import styles from './Payout.module.css'

interface PayoutProps {
  /** Null if it cannot be calculated yet. */
  amount: string | null
  isMost?: boolean
  /** The taxes are not known, so that they are not deducted. */
  isBeforeTax?: boolean
  /** The stake of a bet that is not placed yet. A payout below it is warned of. */
  stake?: string
}

/** The labelled payout of a ticket or a receipt. */
export function Payout({ amount, isMost = false, isBeforeTax = false, stake }: PayoutProps) {
  const { t } = useTranslation()
  const money = useMoney()
  const name = t(isMost ? 'possiblePayoutMost' : 'possiblePayout')
  const loses = amount !== null && stake !== undefined && centsOf(amount) < centsOf(stake)
  return (
    <>
      <p className={styles.payout}>
        <span>{isBeforeTax ? t('beforeTax', { payout: name }) : name}</span>
        <b className={styles.amount} data-payout="">
          {amount === null ? '–' : money(amount)}
        </b>
      </p>
      {loses && (
        <Alert look="warn" className={styles.loses}>
          {t(isMost ? 'returnsLessMost' : 'returnsLess', { payout: money(amount), stake: money(stake) })}
        </Alert>
      )}
    </>
  )
}
