import { GridCell, GridRow } from '../../components/Grid'
import type { TournamentGroup } from '../../platform/offer/offerSelectors'
import styles from './TournamentRow.module.css'

export interface TournamentRowProps {
  tournament: TournamentGroup
  top: number
  rowIndex: number
}

export function TournamentRow({ tournament, top, rowIndex }: TournamentRowProps) {
  const { name, description } = tournament
  return (
    <GridRow rowIndex={rowIndex} className={styles.row} style={{ top }} data-row="tournament">
      <GridCell isHeader className={styles.cell}>
        <b className={styles.name} title={name ?? undefined}>
          {name}
        </b>
        {description && (
          <span className={styles.description} title={description}>
            {description}
          </span>
        )}
      </GridCell>
    </GridRow>
  )
}
