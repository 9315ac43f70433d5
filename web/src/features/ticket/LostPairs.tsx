import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { Alert, AlertAction } from '../../components/Alert'
import { useTranslation } from '../../i18n/useTranslation'
import { matchName } from '../../platform/offer/matchName'
import { lostPairsRead, selectLostPairs } from '../../platform/ticket/keptTicketSlice'
import { usePairName } from '../../platform/ticket/pairName'
import styles from './TicketBody.module.css'

/** The pairs that the ticket lost with their matches, until they are read or another odd is picked. */
export function LostPairs() {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const nameOf = usePairName()
  const pairs = useAppSelector(selectLostPairs)
  if (pairs.length === 0) {
    return null
  }
  return (
    <Alert
      look="info"
      className={styles.lost}
      action={<AlertAction onPress={() => dispatch(lostPairsRead())}>{t('ok')}</AlertAction>}
    >
      <b>{t('pairsLost', { count: pairs.length })}</b>
      {pairs.map((pair) => (
        <span key={pair.matchId} className={styles.lostPair}>
          {`${nameOf(pair)} (${matchName(pair)})`}
        </span>
      ))}
    </Alert>
  )
}
