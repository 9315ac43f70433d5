import { cx } from '../../components/cx'
import { Icon } from '../../components/Icon'
import { showsElapsedTime } from '../../domain/clock'
import type { Match } from '../../domain/offer'
import { useTranslation } from '../../i18n/useTranslation'
import styles from './MatchTime.module.css'
import { useStatusLabel } from './matchStatus'
import { useClockText } from './useClockText'

/** When in the match we are: the clock and the status. Where the clock only counts the time gone by, the status leads. */
export function MatchTime({ match }: { match: Match }) {
  const { t } = useTranslation()
  const clock = useClockText(match)
  const status = useStatusLabel(match.status)
  const statusLeads = !clock || (showsElapsedTime(match.sportId) && status?.bracketed === false)
  const [first, second] = statusLeads ? [status?.short, clock] : [clock, status?.short]
  return (
    <div className={cx(styles.time, status?.bracketed && styles.bracketed)}>
      <span
        className={styles.first}
        title={statusLeads ? status?.text : undefined}
        data-clock={statusLeads ? undefined : ''}
      >
        {first}
        {match.clockStopped === true && clock && (
          <span className={styles.stopped} title={t('clockStopped')}>
            <Icon name="pause" className={styles.pause} />
            <span className="vh">{`, ${t('clockStopped')}`}</span>
          </span>
        )}
      </span>
      {second && (
        <small
          className={styles.second}
          title={statusLeads ? undefined : status?.text}
          data-clock={statusLeads ? '' : undefined}
        >
          {second}
        </small>
      )}
    </div>
  )
}
