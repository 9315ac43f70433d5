import { memo } from 'react'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { answerFirst } from '../../components/answerFirst'
import { GridCell, GridRow } from '../../components/Grid'
import { Icon } from '../../components/Icon'
import { PinButton } from '../../components/PinButton'
import { useTranslation } from '../../i18n/useTranslation'
import type { TournamentGroup } from '../../platform/offer/offerSelectors'
import { selectPinnedLeagues } from '../../platform/preferences/preferencesSelectors'
import { leaguePinToggled } from '../../platform/preferences/preferencesSlice'
import { leagueToggled } from '../../platform/view/viewSlice'
import styles from './TournamentRow.module.css'

export interface TournamentRowProps {
  /** Its key in the list. */
  itemKey: string
  tournament: TournamentGroup
  isFolded: boolean
  top: number
  height: number
  rowIndex: number
  isLast: boolean
  /** The cell of this row that is in the tab order, if it is in this row. */
  tabStop: string | null
}

/**
 * The heading of a league: a press folds its matches, and the pin puts it first in its sport. Memoised as the rows of its
 * matches.
 */
export const TournamentRow = memo(function TournamentRow({
  itemKey,
  tournament,
  isFolded,
  top,
  height,
  rowIndex,
  isLast,
  tabStop,
}: TournamentRowProps) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const { leagueId, name, description, matchIds } = tournament
  const isPinned = useAppSelector((state) => selectPinnedLeagues(state).includes(leagueId))
  const league = [name, description].filter(Boolean).join(', ')
  return (
    <GridRow
      rowIndex={rowIndex}
      className={styles.row}
      style={{ top, height }}
      data-row="tournament"
      data-item={itemKey}
      data-last={isLast || undefined}
    >
      <GridCell isHeader className={styles.cell}>
        <button
          type="button"
          className={styles.fold}
          aria-expanded={!isFolded}
          data-cell="match"
          tabIndex={tabStop === null || tabStop === 'star' ? -1 : 0}
          onClick={(event) => answerFirst(event.currentTarget, () => dispatch(leagueToggled(leagueId)))}
        >
          <span className={styles.names}>
            <b className={styles.name} title={name ?? undefined}>
              {name}
            </b>
            {description && (
              <span className={styles.description} title={description}>
                {description}
              </span>
            )}
          </span>
          <Icon name={isFolded ? 'chevronRight' : 'chevronDown'} size="s" className={styles.chevron} />
          {isFolded && (
            <span className={styles.count}>
              <span className="vh">, </span>
              <span>{matchIds.length}</span>
            </span>
          )}
        </button>
      </GridCell>
      <GridCell className={styles.pinCell}>
        <PinButton
          className={styles.pin}
          isQuiet
          isPressed={isPinned}
          label={t('pinLeague', { league })}
          data-cell="star"
          tabIndex={tabStop === 'star' ? 0 : -1}
          onClick={() => dispatch(leaguePinToggled(leagueId))}
        />
      </GridCell>
    </GridRow>
  )
})
