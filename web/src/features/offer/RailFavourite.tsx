import { useAppSelector } from '../../app/hooks'
import type { Match, MatchId } from '../../domain/offer'
import { matchName } from '../../platform/offer/matchName'
import { selectMatch } from '../../platform/offer/offerSelectors'
import { useMomentText } from '../../platform/offer/useMomentText'
import { useMatchLink } from '../../platform/view/useMatchLink'
import styles from './RailFavourite.module.css'

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
