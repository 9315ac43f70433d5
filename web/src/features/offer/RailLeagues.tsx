import { useState } from 'react'
import { flushSync } from 'react-dom'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { Icon } from '../../components/Icon'
import type { SportId } from '../../domain/offer'
import { useTranslation } from '../../i18n/useTranslation'
import { selectSportGroups } from '../../platform/offer/offerSelectors'
import { selectPinnedLeagues } from '../../platform/preferences/preferencesSelectors'
import { leaguePinToggled } from '../../platform/preferences/preferencesSlice'
import { selectCollapsedLeagues, selectCollapsedSports } from '../../platform/view/viewSelectors'
import { leagueToggled, sportToggled } from '../../platform/view/viewSlice'
import { goToLeague, type League, leaguesOf } from './leagues'
import styles from './RailLeagues.module.css'

/** As many as leave the next sport in sight. */
const SHOWN_LEAGUES = 8

export interface RailLeaguesProps {
  sportId: SportId
  sport: string
}

/** The leagues of a chosen sport: a press leads to the league in the list, the pin puts it first. */
export function RailLeagues({ sportId, sport }: RailLeaguesProps) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const group = useAppSelector((state) => selectSportGroups(state).find((each) => each.sportId === sportId))
  const pinned = useAppSelector(selectPinnedLeagues)
  const isCollapsed = useAppSelector((state) => selectCollapsedSports(state)[sportId] === true)
  const folded = useAppSelector(selectCollapsedLeagues)
  const [showsAll, setShowsAll] = useState(false)
  const all = group ? leaguesOf(group) : []
  const leagues = showsAll ? all : all.slice(0, SHOWN_LEAGUES)
  const go = (leagueId: string) => {
    flushSync(() => {
      if (isCollapsed) {
        dispatch(sportToggled(sportId))
      }
      if (folded[leagueId]) {
        dispatch(leagueToggled(leagueId))
      }
    })
    goToLeague(leagueId)
  }
  return (
    <>
      <ul className={styles.leagues} aria-label={sport} data-leagues={sportId}>
        {leagues.map((league) => (
          <Row
            key={league.leagueId}
            league={league}
            isPinned={pinned.includes(league.leagueId)}
            onGo={() => go(league.leagueId)}
            onPin={(pin) => {
              flushSync(() => dispatch(leaguePinToggled(league.leagueId)))
              // An element that is moved in the document loses the focus.
              pin.focus()
            }}
          />
        ))}
      </ul>
      {leagues.length < all.length && (
        <button type="button" className={styles.more} onClick={() => setShowsAll(true)}>
          {t('soonMore', { count: all.length - leagues.length })}
        </button>
      )}
    </>
  )
}

interface RowProps {
  league: League
  isPinned: boolean
  onGo: () => void
  onPin: (pin: HTMLElement) => void
}

function Row({ league: { name, description, matchCount }, isPinned, onGo, onPin }: RowProps) {
  const { t } = useTranslation()
  const whole = [name, description].filter(Boolean).join(', ')
  const pin = t('pinLeague', { league: whole })
  return (
    <li className={styles.row}>
      <button type="button" className={styles.league} title={whole} onClick={onGo}>
        <span className={styles.name}>
          <span>{name}</span>
          {description && <span className={styles.description}>{` ${description}`}</span>}
        </span>
        <span className={styles.count}>
          <span className="vh">, </span>
          <span>{matchCount}</span>
        </span>
      </button>
      <button
        type="button"
        className={styles.pin}
        aria-pressed={isPinned}
        aria-label={pin}
        title={pin}
        onClick={(event) => onPin(event.currentTarget)}
      >
        <Icon name="pin" size="s" />
      </button>
    </li>
  )
}
