import { useAppSelector } from '../../app/hooks'
import { ErrorBoundary } from '../../components/ErrorBoundary'
import { GridCell } from '../../components/Grid'
import { later } from '../../components/later'
import { readableLine } from '../../domain/columns'
import type { MatchId, SportId } from '../../domain/offer'
import { useTranslation } from '../../i18n/useTranslation'
import {
  sameCells,
  selectCells,
  selectColumn,
  selectFieldLabels,
  selectMarket,
} from '../../platform/offer/offerSelectors'
import type { ColumnSlot } from '../../platform/preferences/preferencesSlice'
import { LineButton } from './LineButton'
import { OddCell } from './OddCell'
import styles from './OddsSet.module.css'

const LineChips = later(async () => (await import('./LineChips')).LineChips)

export interface OddsSetProps {
  matchId: MatchId
  matchName: string
  sportId: SportId
  slot: ColumnSlot
  /** The cell of this row that is in the tab order, if it is in this row. */
  tabStop: string | null
  /** Whether the headings stand beside the prices. */
  labelled: boolean
}

/** What a preferred column shows of a match. */
export function OddsSet({ matchId, matchName, sportId, slot, tabStop, labelled }: OddsSetProps) {
  const { t } = useTranslation()
  const column = useAppSelector((state) => selectColumn(state, sportId, slot))
  const cells = useAppSelector((state) => selectCells(state, matchId, column), sameCells)
  const labels = useAppSelector((state) => column && selectFieldLabels(state, sportId, column))
  const market = useAppSelector((state) => cells.marketId !== null && selectMarket(state, cells.marketId)?.name)
  // The line is not always shown in its own column, but it belongs to the price.
  const sbv = useAppSelector((state) =>
    cells.marketId === null ? null : (selectMarket(state, cells.marketId)?.sbv ?? null),
  )
  const isChoosing = useAppSelector(({ view: { lineChooser } }) =>
    Boolean(lineChooser && lineChooser.matchId === matchId && lineChooser.slot === slot),
  )
  const spokenBefore = [matchName, market || column?.name, cells.sbv || readableLine(sbv)].filter(Boolean).join(', ')
  const hasLine = column?.markets.some((market) => market.format) ?? false
  if (labelled && cells.oddIds.length > 0 && cells.oddIds.every((oddId) => oddId === null)) {
    return (
      <div className={styles.set}>
        <GridCell className={styles.none}>{t('oddsNone')}</GridCell>
      </div>
    )
  }
  return (
    <div className={styles.set}>
      {hasLine && (cells.marketId === null || cells.sbv === '') && <GridCell className={styles.line} />}
      {cells.marketId !== null && cells.sbv !== '' && (
        <LineButton
          matchId={matchId}
          marketId={cells.marketId}
          slot={slot}
          line={cells.sbv}
          isExpanded={isChoosing}
          tabIndex={tabStop === `line-${slot}` ? 0 : -1}
        />
      )}
      {isChoosing && cells.marketId !== null ? (
        <ErrorBoundary fallback={null}>
          <LineChips matchId={matchId} sportId={sportId} slot={slot} marketId={cells.marketId} tabStop={tabStop} />
        </ErrorBoundary>
      ) : (
        labels?.map((label, place) => {
          const oddId = cells.oddIds[place]
          const cell = `odd-${slot}-${place}`
          return oddId === undefined || oddId === null ? (
            <GridCell key={cell} className={styles.empty} />
          ) : (
            <OddCell
              key={cell}
              matchId={matchId}
              spokenBefore={spokenBefore}
              oddId={oddId}
              label={label}
              cell={cell}
              tabIndex={tabStop === cell ? 0 : -1}
              labelled={labelled}
            />
          )
        })
      )}
    </div>
  )
}
