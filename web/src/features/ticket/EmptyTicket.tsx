import { useTranslation } from '../../i18n/useTranslation'
import styles from './EmptyTicket.module.css'

/** What a ticket without pairs says. It is in the first load: a first visit shows it before the ticket is loaded. */
export function EmptyTicket() {
  const { t } = useTranslation()
  return (
    <div className={styles.empty}>
      <svg className={styles.art} viewBox="0 0 88 72" fill="none" aria-hidden="true" focusable="false">
        <path className={styles.paper} d="M22 6h44v58l-7-5-7 5-8-5-8 5-7-5-7 5z" />
        <path className={styles.lines} d="M32 19.5h16M32 30.500h24" />
        <rect className={styles.card} x="54" y="36" width="26" height="20" rx="6" />
        <path className={styles.tick} d="M62 46l3.500 3.500L72 43" />
      </svg>
      <b className={styles.title}>{t('ticketEmpty')}</b>
      <p>{t('ticketEmptyText')}</p>
    </div>
  )
}
