import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { GridCell } from '../../components/Grid'
import type { MarketId, MatchId } from '../../domain/offer'
import { useTranslation } from '../../i18n/useTranslation'
import { selectMarket } from '../../platform/offer/offerSelectors'
import { lineChooserTurned } from '../../platform/view/viewSlice'
import styles from './LineButton.module.css'

interface LineButtonProps {
  matchId: MatchId
  marketId: MarketId
  slot: number
  /** As it is shown. */
  line: string
  isExpanded: boolean
  tabIndex: 0 | -1
}

/** The line of a row's odds; a press shows the other lines in place of the odds. */
export function LineButton({ matchId, marketId, slot, line, isExpanded, tabIndex }: LineButtonProps) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const isChosen = useAppSelector((state) => {
    const market = selectMarket(state, marketId)
    return state.view.lines.some(
      ({ matchId: id, type, sbv }) => id === matchId && type === market?.type && sbv === market.sbv,
    )
  })
  return (
    <GridCell className={styles.cell}>
      <button
        type="button"
        className={styles.line}
        aria-label={t('lineNow', { line })}
        title={t('lines')}
        aria-expanded={isExpanded}
        data-chosen={isChosen || undefined}
        data-cell={`line-${slot}`}
        tabIndex={tabIndex}
        onClick={() => dispatch(lineChooserTurned(isExpanded ? null : { matchId, slot }))}
      >
        {line}
      </button>
    </GridCell>
  )
}
