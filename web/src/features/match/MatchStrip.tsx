import { useAppSelector } from '../../app/hooks'
import type { MatchId } from '../../domain/offer'
import { useTranslation } from '../../i18n/useTranslation'
import { selectMatch, selectNeighbours } from '../offer/offerSelectors'
import { useMatchLink } from '../view/useMatchLink'
import styles from './MatchStrip.module.css'

/** The other matches of the sport, to go from one to the next without the list. */
export function MatchStrip({ matchId }: { matchId: MatchId }) {
  const { t } = useTranslation()
  const ids = useAppSelector((state) => selectNeighbours(state, matchId))
  return (
    <nav className={styles.strip} aria-label={t('otherMatches')}>
      {ids.map((id) => (
        <Tile key={id} matchId={id} isCurrent={id === matchId} />
      ))}
    </nav>
  )
}

function Tile({ matchId, isCurrent }: { matchId: MatchId; isCurrent: boolean }) {
  const match = useAppSelector((state) => selectMatch(state, matchId))
  const link = useMatchLink(matchId)
  if (!match) {
    return null
  }
  return (
    <a
      className={styles.tile}
      aria-current={isCurrent || undefined}
      ref={isCurrent ? bringIntoView : undefined}
      {...link}
    >
      <span className={styles.team}>{match.home}</span>
      <b className={styles.score}>{match.score?.[0] ?? '–'}</b>
      <span className={styles.team}>{match.away}</span>
      <b className={styles.score}>{match.score?.[1] ?? '–'}</b>
    </a>
  )
}

/** Sideways, within the strip alone. */
function bringIntoView(tile: HTMLElement | null) {
  const strip = tile?.parentElement
  if (tile && strip) {
    strip.scrollLeft = tile.offsetLeft - (strip.clientWidth - tile.offsetWidth) / 2
  }
}
