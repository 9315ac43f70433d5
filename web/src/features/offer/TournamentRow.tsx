import { GridCell, GridRow } from '../../components/Grid'
import type { TournamentGroup } from './offerSelectors'
import styles from './TournamentRow.module.css'

export interface TournamentRowProps {
  tournament: TournamentGroup
  top: number
  rowIndex: number
}

export function TournamentRow({ tournament, top, rowIndex }: TournamentRowProps) {
  return (
    <GridRow rowIndex={rowIndex} className={styles.row} style={{ top }} data-row="tournament">
      <GridCell isHeader className={styles.cell}>
        <b className={styles.name}>{tournament.name}</b>
        {tournament.description}
      </GridCell>
    </GridRow>
  )
}
