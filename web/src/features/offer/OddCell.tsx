import { memo } from 'react'
import { GridCell } from '../../components/Grid'
import { OddsButton } from '../../components/OddsButton'
import type { MatchId, OddId } from '../../domain/offer'
import { useOddView } from '../../platform/offer/useOddView'
import { usePick } from '../../platform/ticket/usePick'
import styles from './OddCell.module.css'

export interface OddCellProps {
  matchId: MatchId
  /** The match, the market and its line: the headings above are not read with each price. */
  spokenBefore: string
  oddId: OddId
  /** The heading of its column. */
  label: string
  cell: string
  tabIndex: 0 | -1
  /** Whether the heading stands beside the price, for want of a place above it. */
  labelled: boolean
}

/**
 * One price of a row: the smallest thing that renders, and while prices move the only one. Memoised, for a row also
 * renders for its clock's status, score and cards (a test counts renders).
 */
export const OddCell = memo(function OddCell({
  matchId,
  spokenBefore,
  oddId,
  label,
  cell,
  tabIndex,
  labelled,
}: OddCellProps) {
  const view = useOddView(matchId, oddId, label)
  const pick = usePick()
  return (
    <GridCell className={styles.cell}>
      {view && (
        <OddsButton
          {...view}
          layout={labelled ? 'labelled' : 'price'}
          spokenBefore={spokenBefore}
          cell={cell}
          tabIndex={tabIndex}
          onPress={(pressedId) => pick(matchId, pressedId)}
        />
      )}
    </GridCell>
  )
})
