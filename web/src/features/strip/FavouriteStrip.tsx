import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { cx } from '../../components/cx'
import { Icon } from '../../components/Icon'
import { IconButton } from '../../components/IconButton'
import type { Match, MatchId } from '../../domain/offer'
import { sportClass } from '../../domain/sportClass'
import { useTranslation } from '../../i18n/useTranslation'
import { teamName } from '../../platform/offer/matchName'
import { selectFavouriteMatches, selectGoal, selectMatch } from '../../platform/offer/offerSelectors'
import { useMomentText } from '../../platform/offer/useMomentText'
import { stripTurned } from '../../platform/preferences/preferencesSlice'
import { useMatchLink } from '../../platform/view/useMatchLink'
import { selectOpenMatchId } from '../../platform/view/viewSelectors'
import styles from './FavouriteStrip.module.css'

/** The favourites with their scores in one row, above the list or the match. */
export function FavouriteStrip() {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const ids = useAppSelector(selectFavouriteMatches)
  return (
    <div className={styles.strip}>
      <nav className={styles.tiles} aria-label={t('stripLabel')}>
        {ids.length === 0 ? (
          <p className={styles.none}>
            <Icon name="star" size="s" />
            <span>{t('stripEmpty')}</span>
          </p>
        ) : (
          ids.map((id) => <Tile key={id} matchId={id} />)
        )}
      </nav>
      <IconButton label={t('stripHide')} icon="close" iconSize="s" onClick={() => dispatch(stripTurned(false))} />
    </div>
  )
}

function Tile({ matchId }: { matchId: MatchId }) {
  const match = useAppSelector((state) => selectMatch(state, matchId))
  return match ? <Score match={match} /> : null
}

function Score({ match }: { match: Match }) {
  const { t } = useTranslation()
  const link = useMatchLink(match.id)
  const goal = useAppSelector((state) => selectGoal(state, match.id))
  const isOpen = useAppSelector(selectOpenMatchId) === match.id
  const when = useMomentText(match)
  return (
    <a
      className={cx(styles.tile, goal && styles.goal)}
      data-sport={sportClass(match.sportId)}
      data-strip-match={match.id}
      aria-current={isOpen || undefined}
      {...link}
    >
      <span className={styles.teams}>
        <span className={styles.team}>{teamName(match.home)}</span>
        <span className="vh"> – </span>
        <span className={styles.team}>{teamName(match.away)}</span>
      </span>
      <span className={styles.score}>
        <b>{match.score?.[0] ?? '–'}</b>
        <span className="vh">:</span>
        <b>{match.score?.[1] ?? '–'}</b>
      </span>
      <small className={styles.when}>{goal ? t('goal') : when}</small>
    </a>
  )
}
