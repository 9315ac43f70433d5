import { cx } from '../../components/cx'
import { Icon } from '../../components/Icon'
import type { Match } from '../../domain/offer'
import { useTranslation } from '../../i18n/useTranslation'
import { useClockText } from '../../platform/clock/useClockText'
import { clockLabel, statusLeads, useStatusLabel } from '../../platform/offer/matchStatus'
import styles from './MatchTime.module.css'

/** When in the match we are: the clock and the status. Where the clock only counts the time gone by, the status leads. */
export function MatchTime({ match }: { match: Match }) {
  const { t } = useTranslation()
  const clock = clockLabel(match.sportId, useClockText(match), t)
  const status = useStatusLabel(match.status)
  const isStatusFirst = statusLeads(match.sportId, clock, status)
  const [first, second] = isStatusFirst ? [status?.short, clock] : [clock, status?.short]
  return (
    <div className={cx(styles.time, status?.bracketed && styles.bracketed)}>
      <span
        className={styles.first}
        title={isStatusFirst ? status?.text : undefined}
        data-clock={isStatusFirst ? undefined : ''}
      >
        <span>{first}</span>
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
          title={isStatusFirst ? undefined : status?.text}
          data-clock={isStatusFirst ? '' : undefined}
        >
          {second}
        </small>
      )}
    </div>
  )
}
