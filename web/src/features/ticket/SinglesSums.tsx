/** The sums of all singles of the ticket. */
import { useAppSelector } from '../../app/hooks'
import { useTranslation } from '../../i18n/useTranslation'
import { useMoney } from '../../platform/account/useMoney'
import { Payout } from '../../platform/ticket/Payout'
import { selectSingles, sumOf } from '../../platform/ticket/singlesSlice'
import styles from './Sums.module.css'

export function SinglesStake() {
  const { t } = useTranslation()
  const money = useMoney()
  const singles = useAppSelector(selectSingles)
  return (
    <dl className={styles.sums}>
      <dt className={styles.strong}>{t('stakeTotal')}</dt>
      <dd className={styles.strong}>{money(sumOf(singles, 'stake'))}</dd>
    </dl>
  )
}

export function SinglesPayout({ isBeforeTax }: { isBeforeTax: boolean }) {
  const singles = useAppSelector(selectSingles)
  const canPay = singles.every(({ numberOfOdds, totalOdd }) => numberOfOdds > 0 && Number(totalOdd) > 0)
  return (
    <Payout
      amount={canPay ? sumOf(singles, 'possiblePayout') : null}
      stake={sumOf(singles, 'stake')}
      isMost
      isBeforeTax={isBeforeTax}
    />
  )
}
