import { memo, useMemo, useRef } from 'react'
import { useAppSelector } from '../../app/hooks'
import type { RootState } from '../../app/store'
import { cx } from '../../components/cx'
import { GridCell, GridRow } from '../../components/Grid'
import { Icon } from '../../components/Icon'
import { IconButton } from '../../components/IconButton'
import type { Screen } from '../../components/useScreen'
import { useTurn } from '../../components/useTurn'
import type { Match, MatchId } from '../../domain/offer'
import { turnName } from '../../i18n/turnName'
import { useTranslation } from '../../i18n/useTranslation'
import { useFavourite } from '../../platform/favourites/useFavourite'
import { matchName, teamName } from '../../platform/offer/matchName'
import { matchFacts, OfferGate } from '../../platform/offer/OfferGate'
import { selectGoal, selectMatch, selectMoreOdds } from '../../platform/offer/offerSelectors'
import { SLOTS } from '../../platform/preferences/preferencesSlice'
import { useMatchLink } from '../../platform/view/useMatchLink'
import styles from './MatchRow.module.css'
import { MatchScore } from './MatchScore'
import { MatchTime } from './MatchTime'
import { OddsSet } from './OddsSet'
import { useToggleHidden } from './useToggleHidden'

export interface MatchRowProps {
  matchId: MatchId
  top: number
  rowIndex: number
  /** Whether it is the last of its sport, with round corners. */
  isLast: boolean
  screen: Screen
  /** How many sets of odds it shows. */
  sets: number
  /** How many periods the sport's rows have a column for. */
  periods: number
  /** Whether there is room for a button that hides it. */
  hasHide: boolean
  /** The cell of this row that is in the tab order, if it is in this row. */
  tabStop: string | null
}

/**
 * Memoised: the list renders for each step of scrolling, the rows that stay do not. Of many rows that come at once, most
 * are empty at first and are filled in turns.
 */
export const MatchRow = memo(function MatchRow(props: MatchRowProps) {
  const place = useRef<HTMLDivElement>(null)
  const isDue = useTurn(place)
  const facts = useMemo(() => rowFacts(props.matchId), [props.matchId])
  return isDue ? (
    <OfferGate facts={facts}>
      <Filled {...props} />
    </OfferGate>
  ) : (
    <GridRow ref={place} {...rowProps(props)} className={styles.row} aria-hidden="true" />
  )
})

/** All markets of the match where its row shows another line than the balanced one, or all of them. */
const rowFacts = (matchId: MatchId) => (state: RootState) => {
  const { lines, lineChooser } = state.view
  const { rowMarketIds = [], detailMarketIds = [] } = selectMatch(state, matchId) ?? {}
  const hasLines = lineChooser?.matchId === matchId || lines.some((line) => line.matchId === matchId)
  return matchFacts(state, matchId, hasLines ? [...rowMarketIds, ...detailMarketIds] : rowMarketIds)
}

function Filled(props: MatchRowProps) {
  const match = useAppSelector((state) => selectMatch(state, props.matchId))
  return match ? <Row {...props} match={match} /> : null
}

function rowProps({ matchId, top, rowIndex, isLast }: MatchRowProps) {
  return {
    rowIndex,
    style: { top },
    'data-last': isLast || undefined,
    'data-row': 'match',
    'data-match-id': matchId,
  }
}

function Row({ match, ...props }: MatchRowProps & { match: Match }) {
  const { screen, sets, periods, hasHide, tabStop } = props
  const { t } = useTranslation()
  const goal = useAppSelector((state) => selectGoal(state, match.id))
  const more = useAppSelector((state) => selectMoreOdds(state, match.id, sets))
  const toggleHidden = useToggleHidden()
  const [isFavourite, toggleFavourite] = useFavourite(match.id)
  const link = useMatchLink(match.id)
  const name = matchName(match)
  const set = { matchId: match.id, matchName: name, sportId: match.sportId, tabStop }
  const tabIndex = (cell: string) => (tabStop === cell ? 0 : -1)
  return (
    <GridRow {...rowProps(props)} className={cx(styles.row, goal && styles.goal)}>
      <GridCell className={styles.starCell}>
        <button
          type="button"
          className={styles.star}
          aria-pressed={isFavourite}
          aria-label={t('favouriteMatch', { match: name })}
          data-cell="star"
          tabIndex={tabIndex('star')}
          onClick={toggleFavourite}
        >
          <Icon name="star" />
        </button>
      </GridCell>
      <GridCell className={styles.time}>
        <MatchTime match={match} />
      </GridCell>
      <GridCell isHeader className={styles.match}>
        <a className={styles.teams} data-cell="match" tabIndex={tabIndex('match')} {...link}>
          <Team match={match} side={1} scored={goal === 1} />
          <span className="vh"> – </span>
          <Team match={match} side={2} scored={goal === 2} />
        </a>
      </GridCell>
      <GridCell className={styles.score}>
        <MatchScore match={match} periods={periods} goal={goal} />
      </GridCell>
      {screen === 'phone' && <Extras match={match} />}
      {SLOTS.slice(0, sets).map((slot) => (
        <OddsSet key={slot} slot={slot} {...set} labelled={screen === 'phone'} />
      ))}
      <GridCell className={styles.moreCell}>
        {more > 0 && (
          <a className={styles.more} data-cell="more" tabIndex={tabIndex('more')} {...link}>
            <span title={`${more} ${t('moreOdds', { count: more, match: name })}`}>{`+${more}`}</span>
            <span className="vh">{` ${t('moreOdds', { count: more, match: name })}`}</span>
          </a>
        )}
      </GridCell>
      {hasHide && (
        <GridCell className={styles.hideCell}>
          <IconButton
            label={t('hideMatch', { match: name })}
            icon="eyeOff"
            className={styles.hide}
            data-cell="hide"
            tabIndex={tabIndex('hide')}
            onClick={() => toggleHidden(match.id)}
          />
        </GridCell>
      )}
    </GridRow>
  )
}

function Team({ match, side, scored }: { match: Match; side: 1 | 2; scored: boolean }) {
  const { t } = useTranslation()
  const name = teamName(side === 1 ? match.home : match.away)
  const turn = t(turnName(match.sportId))
  return (
    <span className={styles.team}>
      <span className={styles.teamName} title={name}>
        {name}
      </span>
      {match.playerServing === side && (
        <span className={styles.serves} title={turn}>
          <span className="vh">{`, ${turn}`}</span>
        </span>
      )}
      {scored && <b className={styles.goalTag}>{t('goal')}</b>}
    </span>
  )
}

/** On a phone: yellow cards and corners on the first line. */
function Extras({ match }: { match: Match }) {
  const { yellowCards, corners } = match
  return (
    <div className={styles.extras} aria-hidden="true">
      {yellowCards && (
        <span className={styles.extra}>
          <i className={styles.yellowCard} />
          <span>{yellowCards.join(':')}</span>
        </span>
      )}
      {corners && (
        <span className={styles.extra}>
          <Icon name="flag" className={styles.flag} />
          <span>{corners.join(':')}</span>
        </span>
      )}
    </div>
  )
}
