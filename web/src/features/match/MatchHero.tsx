import type { ReactNode } from 'react'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { answerFirst } from '../../components/answerFirst'
import { cx } from '../../components/cx'
import { Icon } from '../../components/Icon'
import { IconButton } from '../../components/IconButton'
import { usePageTitle } from '../../components/usePageTitle'
import { isBeforeKickOff } from '../../domain/kickOff'
import type { Match } from '../../domain/offer'
import { sportClass } from '../../domain/sportClass'
import { turnName } from '../../i18n/turnName'
import { useTranslation } from '../../i18n/useTranslation'
import { useOpenClockText } from '../../platform/clock/useClockText'
import { useFavourite } from '../../platform/favourites/useFavourite'
import { matchName, teamName } from '../../platform/offer/matchName'
import { clockLabel, useStatusLabel } from '../../platform/offer/matchStatus'
import { selectGoal, selectSport } from '../../platform/offer/offerSelectors'
import { scoreDetails } from '../../platform/offer/scoreDetails'
import { selectIsHiddenMatch } from '../../platform/view/viewSelectors'
import { matchClosed, matchHiddenToggled } from '../../platform/view/viewSlice'
import styles from './MatchHero.module.css'
import { matchTitleProps } from './matchTitle'

/** The head of the match page: one line, which stays in view. */
export function MatchHero({ match, bell }: { match: Match; bell?: ReactNode }) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const sport = useAppSelector((state) => selectSport(state, match.sportId)?.name)
  const goal = useAppSelector((state) => selectGoal(state, match.id))
  const isHidden = useAppSelector((state) => selectIsHiddenMatch(state, match.id))
  const [isFavourite, toggleFavourite] = useFavourite(match.id)
  usePageTitle(matchName(match))
  const clock = clockLabel(match.sportId, useOpenClockText(match), t)
  const status = useStatusLabel(match.status)
  const score = match.score?.join(':')
  const { game, periods } = scoreDetails(match, t)
  const where = [sport, match.tournament, match.tournamentDescription].filter(Boolean).join(', ')

  const toggleHidden = () => {
    dispatch(matchHiddenToggled(match.id))
    if (!isHidden) {
      dispatch(matchClosed())
    }
  }

  return (
    <header
      className={cx(styles.hero, goal && styles.goal)}
      data-sport={sportClass(match.sportId)}
      data-match-id={match.id}
    >
      <div className={styles.start}>
        <IconButton
          className={styles.back}
          label={t('backToOffer')}
          icon="back"
          onClick={(event) => answerFirst(event.currentTarget, () => dispatch(matchClosed()))}
        />
        <p className={styles.where}>
          <Icon name={sportClass(match.sportId)} size="s" className={styles.sport} />
          <span title={where}>{where}</span>
        </p>
      </div>
      <h1 className="vh" {...matchTitleProps}>
        {[matchName(match), score, status?.text].filter(Boolean).join(', ')}
      </h1>
      <div className={styles.board}>
        <Team match={match} side={0} scored={goal === 1} />
        <div className={styles.result}>
          <p className={styles.score} aria-hidden="true">
            <span className={cx(styles.own, goal === 1 && styles.scored)}>{match.score?.[0] ?? '–'}</span>
            <span className={styles.colon}> : </span>
            <span className={cx(styles.own, goal === 2 && styles.scored)}>{match.score?.[1] ?? '–'}</span>
          </p>
          <p className={styles.line}>
            {clock && <b className={cx(!isBeforeKickOff(match) && styles.clock)}>{clock}</b>}{' '}
            {status && (
              <span className={cx(status.bracketed && styles.bracketed)}>
                <span className={styles.whole}>{status.text}</span>
                <span className={styles.short}>{status.short}</span>
              </span>
            )}
          </p>
        </div>
        <Team match={match} side={1} scored={goal === 2} />
      </div>
      <div className={styles.end}>
        <div className={styles.details} title={[game, periods].filter(Boolean).join(', ')}>
          {game && <p className={cx(styles.detail, match.tiebreak === true && styles.tiebreak)}>{game}</p>}
          {periods && <p className={styles.detail}>{periods}</p>}
        </div>
        <div className={styles.tools}>
          <button
            type="button"
            className={styles.star}
            aria-pressed={isFavourite}
            aria-label={t('favouriteMatch', { match: matchName(match) })}
            onClick={toggleFavourite}
          >
            <Icon name="star" />
          </button>
          {bell}
          <IconButton label={t(isHidden ? 'show' : 'hide')} icon={isHidden ? 'eye' : 'eyeOff'} onClick={toggleHidden} />
        </div>
      </div>
    </header>
  )
}

/** Keeps the dot on the line of the last word; a box of its own would be put on the next. */
const NO_BREAK = '\u00a0'

function Team({ match, side, scored }: { match: Match; side: 0 | 1; scored: boolean }) {
  const { t } = useTranslation()
  const turn = t(turnName(match.sportId))
  const red = match.redCards?.[side] ?? 0
  const yellow = match.yellowCards?.[side] ?? 0
  const corners = match.corners?.[side]
  const name = teamName(side === 0 ? match.home : match.away)
  return (
    <div className={cx(styles.team, side === 0 && styles.home)}>
      <p className={styles.name}>
        <span className={styles.text} title={name}>
          {name}
        </span>
        {match.playerServing === side + 1 && (
          <span className={styles.serves} title={turn}>
            {NO_BREAK}
            <span className="vh">{`, ${turn}`}</span>
          </span>
        )}
        {scored && <b className={styles.goalTag}>{t('goal')}</b>}
      </p>
      <p className={styles.extras}>
        {red > 0 && <Extra name={t('redCards')} figure={red} mark={<i className={styles.red} />} />}
        {yellow > 0 && <Extra isMinor name={t('yellowCards')} figure={yellow} mark={<i className={styles.yellow} />} />}
        {corners !== undefined && (
          <Extra isMinor name={t('corners')} figure={corners} mark={<Icon name="flag" size="s" />} />
        )}
      </p>
    </div>
  )
}

interface ExtraProps {
  name: string
  figure: number
  mark: ReactNode
  /** Whether it is left out where there is little room. */
  isMinor?: boolean
}

function Extra({ name, figure, mark, isMinor }: ExtraProps) {
  return (
    <span className={cx(styles.extra, isMinor && styles.minor)} title={name}>
      {mark}
      <span className="vh">{`${name} `}</span>
      <span>{figure}</span>
    </span>
  )
}
