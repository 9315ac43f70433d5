import { flushSync } from 'react-dom'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { PinButton } from '../../components/PinButton'
import { useTranslation } from '../../i18n/useTranslation'
import type { SportGroup } from '../../platform/offer/offerSelectors'
import { selectPinnedLeagues } from '../../platform/preferences/preferencesSelectors'
import { leaguePinToggled } from '../../platform/preferences/preferencesSlice'
import { selectCollapsedLeagues, selectCollapsedSports } from '../../platform/view/viewSelectors'
import { leagueToggled, sportToggled } from '../../platform/view/viewSlice'
import styles from './LeagueList.module.css'
import { goToLeague, type League, leaguesOf } from './leagues'

export interface LeagueListProps {
  group: SportGroup
  /** The name of the sport. */
  sport: string
  /** How many of them are shown. */
  most?: number | undefined
  /** Called before the list is scrolled to a league. */
  onGo?: (() => void) | undefined
}

/** The leagues of a sport: a press leads to the league in the list, the pin puts it first. */
export function LeagueList({ group, sport, most, onGo }: LeagueListProps) {
  const dispatch = useAppDispatch()
  const pinned = useAppSelector(selectPinnedLeagues)
  const isCollapsed = useAppSelector((state) => selectCollapsedSports(state)[group.sportId] === true)
  const folded = useAppSelector(selectCollapsedLeagues)
  const go = (leagueId: string) => {
    flushSync(() => {
      onGo?.()
      if (isCollapsed) {
        dispatch(sportToggled(group.sportId))
      }
      if (folded[leagueId]) {
        dispatch(leagueToggled(leagueId))
      }
    })
    goToLeague(leagueId)
  }
  return (
    <ul aria-label={sport} data-leagues={group.sportId}>
      {leaguesOf(group)
        .slice(0, most)
        .map((league) => (
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
      <PinButton
        className={styles.pin}
        isQuiet
        isPressed={isPinned}
        label={t('pinLeague', { league: whole })}
        onClick={(event) => onPin(event.currentTarget)}
      />
    </li>
  )
}
