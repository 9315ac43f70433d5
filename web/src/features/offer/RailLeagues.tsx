import { useState } from 'react'
import { useAppSelector } from '../../app/hooks'
import type { SportId } from '../../domain/offer'
import { useTranslation } from '../../i18n/useTranslation'
import { selectSportGroups } from '../../platform/offer/offerSelectors'
import { LeagueList } from './LeagueList'
import { leaguesOf } from './leagues'
import styles from './RailLeagues.module.css'

/** As many as leave the next sport in sight. */
const SHOWN_LEAGUES = 8

export interface RailLeaguesProps {
  sportId: SportId
  sport: string
}

/** The leagues of a chosen sport, the first ones at first. */
export function RailLeagues({ sportId, sport }: RailLeaguesProps) {
  const { t } = useTranslation()
  const group = useAppSelector((state) => selectSportGroups(state).find((each) => each.sportId === sportId))
  const [showsAll, setShowsAll] = useState(false)
  if (!group) {
    return null
  }
  const hidden = showsAll ? 0 : leaguesOf(group).length - SHOWN_LEAGUES
  return (
    <>
      <div className={styles.leagues}>
        <LeagueList group={group} sport={sport} most={showsAll ? undefined : SHOWN_LEAGUES} />
      </div>
      {hidden > 0 && (
        <button type="button" className={styles.more} onClick={() => setShowsAll(true)}>
          {t('soonMore', { count: hidden })}
        </button>
      )}
    </>
  )
}
