import type { ReactNode } from 'react'
import { useAppSelector } from '../../app/hooks'
import { cx } from '../../components/cx'
import { Icon } from '../../components/Icon'
import { formatOdd } from '../../domain/oddsFormat'
import type { TicketPair } from '../../domain/ticket/ticket'
import { useTranslation } from '../../i18n/useTranslation'
import { pairMarket } from '../../platform/offer/marketTitle'
import { matchName } from '../../platform/offer/matchName'
import { selectOddsFormat } from '../../platform/preferences/preferencesSelectors'
import { usePairName } from '../../platform/ticket/pairName'
import styles from './PlacementDialogs.module.css'
import type { PairChange } from './placementState'

export interface Row {
  readonly pair: TicketPair
  /** The price that the bettor has seen before, in thousandths. */
  readonly before: number
  readonly now: number
  /** Why the pair cannot be bet on now; null if it can. */
  readonly reason: NonNullable<PairChange['reason']> | null
}

interface PairLineProps {
  row: Row
  isFix?: boolean
  /** What belongs to the pair alone, such as its stake. */
  children?: ReactNode
}

/** A pair in a dialog, with its price before if that has changed, and the reason if it cannot be bet on. */
export function PairLine({ row: { pair, before, now, reason }, isFix = false, children }: PairLineProps) {
  const { t } = useTranslation()
  const nameOf = usePairName()
  const format = useAppSelector(selectOddsFormat)
  const hasMoved = reason === null && now !== before
  const isUp = now > before
  return (
    <li className={cx(styles.pair, reason !== null && styles.lockedPair)}>
      <b>
        <span>{nameOf(pair)}</span>
        {isFix && ' '}
        {isFix && <span className={styles.fix}>{t('fix')}</span>}
      </b>
      <span className={cx(styles.move, 'n')}>
        {hasMoved && (
          <>
            <del aria-hidden="true">{formatOdd(before, format)}</del>
            <span aria-hidden="true">→</span>
          </>
        )}
        {reason !== null && <Icon name="lock" size="s" />}
        {now > 0 && <b className={hasMoved ? (isUp ? styles.up : styles.down) : undefined}>{formatOdd(now, format)}</b>}
        {hasMoved && (
          <span className="vh">
            {`, ${t(isUp ? 'oddRises' : 'oddFalls')}, ${t('oddWas', { odd: formatOdd(before, format) })}`}
          </span>
        )}
      </span>
      <small className={styles.detail}>{[pairMarket(pair), matchName(pair)].filter(Boolean).join(', ')}</small>
      {reason !== null && <small className={styles.reason}>{t(`reason_${reason}`)}</small>}
      {children}
    </li>
  )
}
