import { useTranslation } from '../../i18n/useTranslation'
import { useMoney } from '../account/useMoney'
import styles from './Payout.module.css'

/** The labelled payout of a ticket or a receipt; null if it cannot be calculated yet. */
export function Payout({ amount, isMost = false }: { amount: string | null; isMost?: boolean }) {
  const { t } = useTranslation()
  const money = useMoney()
  return (
    <p className={styles.payout}>
      <span>{t(isMost ? 'possiblePayoutMost' : 'possiblePayout')}</span>
      <b className={styles.amount} data-payout="">
        {amount === null ? '–' : money(amount)}
      </b>
    </p>
  )
}
