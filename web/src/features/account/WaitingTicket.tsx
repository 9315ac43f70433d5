import { useAppSelector } from '../../app/hooks'
import { formatOdd } from '../../domain/oddsFormat'
import { useTranslation } from '../../i18n/useTranslation'
import { selectOddsFormat } from '../../platform/preferences/preferencesSelectors'
import { usePairName } from '../../platform/ticket/pairName'
import { formatTotalOdd } from '../../platform/ticket/totalOdd'
import { selectTicket } from '../../platform/ticket/totalsSelectors'
import styles from './LoginPage.module.css'

/** The number of pairs that fit beside the form. */
const SHOWN = 6

/** A summary of the ticket, shown on the login page. */
export function WaitingTicket() {
  const { t } = useTranslation()
  const nameOf = usePairName()
  const format = useAppSelector(selectOddsFormat)
  const ticket = useAppSelector(selectTicket)
  return (
    <ul className={styles.waiting}>
      {ticket.pairs.slice(0, SHOWN).map((pair) => (
        <li key={pair.matchId} className={styles.row}>
          <span>{nameOf(pair)}</span>
          <b className="n">{formatOdd(pair.oddValue, format)}</b>
        </li>
      ))}
      {ticket.numberOfOdds > 0 && (
        <li className={styles.row}>
          <span>{t('totalOdd')}</span>
          <b className="n">{formatTotalOdd(ticket.totalOdd)}</b>
        </li>
      )}
    </ul>
  )
}
