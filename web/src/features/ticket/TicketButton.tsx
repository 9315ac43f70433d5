import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { useTranslation } from '../../i18n/useTranslation'
import { selectIsSingles } from '../../platform/ticket/singlesSlice'
import { formatTotalOdd } from '../../platform/ticket/totalOdd'
import { selectTicket } from '../../platform/ticket/totalsSelectors'
import { ticketTurned } from '../../platform/view/viewSlice'
import styles from './TicketButton.module.css'

/** Opens the ticket's sheet. Its size and position do not change with its numbers. */
export function TicketButton() {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const ticket = useAppSelector(selectTicket)
  const count = ticket.pairs.length
  const isSingles = useAppSelector(selectIsSingles)
  const odd = ticket.numberOfOdds > 0 && !isSingles ? formatTotalOdd(ticket.totalOdd) : '–'
  return (
    <button type="button" className={styles.button} aria-haspopup="dialog" onClick={() => dispatch(ticketTurned(true))}>
      <span className="vh">{t('ticketButton', { pairs: t('pairCount', { count }), odd })}</span>
      <span className={styles.odd} aria-hidden="true">
        {odd}
      </span>
      <span aria-hidden="true">{t('ticket')}</span>
      {count > 0 && (
        <span className={styles.count} aria-hidden="true">
          {count}
        </span>
      )}
    </button>
  )
}
