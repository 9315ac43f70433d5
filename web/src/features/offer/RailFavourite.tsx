import { useAppSelector } from '../../app/hooks'
import type { Match, MatchId } from '../../domain/offer'
import { useMatchLink } from '../view/useMatchLink'
import { matchName } from './matchName'
import { selectMatch } from './offerSelectors'
import styles from './RailFavourite.module.css'
import { useMomentText } from './useMomentText'

/** A favourite in the rail: its score without looking for it. */
export function RailFavourite({ matchId }: { matchId: MatchId }) {
  const match = useAppSelector((state) => selectMatch(state, matchId))
  return match ? <Favourite match={match} /> : null
}

function Favourite({ match }: { match: Match }) {
  const link = useMatchLink(match.id)
  const when = useMomentText(match)
  return (
    <a className={styles.favourite} {...link}>
      <span className={styles.name}>{matchName(match)}</span>
      <b className={styles.score}>{match.score?.join(':')}</b>
      <small className={styles.when}>{when}</small>
    </a>
  )
}
