import { useTranslation } from '../../i18n/useTranslation'
import { useMoney } from '../account/useMoney'
import styles from './Payout.module.css'

/** The labelled payout of a ticket or a receipt. */
export function Payout({ amount, isMost = false }: { amount: string; isMost?: boolean }) {
  const { t } = useTranslation()
  const money = useMoney()
  return (
    <p className={styles.payout}>
      <span>{t(isMost ? 'possiblePayoutMost' : 'possiblePayout')}</span>
      <b className={styles.amount} data-payout="">
        {money(amount)}
      </b>
    </p>
  )
}
