import type { ReactNode } from 'react'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { answerFirst } from '../../components/answerFirst'
import { Button } from '../../components/Button'
import { cx } from '../../components/cx'
import { Icon } from '../../components/Icon'
import { IconButton } from '../../components/IconButton'
import { usePageTitle } from '../../components/usePageTitle'
import type { Match } from '../../domain/offer'
import { sportClass } from '../../domain/sportClass'
import { gameName } from '../../i18n/gameName'
import { turnName } from '../../i18n/turnName'
import { useTranslation } from '../../i18n/useTranslation'
import { useClockText } from '../../platform/clock/useClockText'
import { useFavourite } from '../../platform/favourites/useFavourite'
import { matchName } from '../../platform/offer/matchName'
import { clockLabel, useStatusLabel } from '../../platform/offer/matchStatus'
import { selectGoal, selectSport } from '../../platform/offer/offerSelectors'
import { scoreLayout } from '../../platform/offer/scoreLayout'
import { selectIsHiddenMatch } from '../../platform/view/viewSelectors'
import { matchClosed, matchHiddenToggled } from '../../platform/view/viewSlice'
import styles from './MatchHero.module.css'
import { matchTitleProps } from './matchTitle'

export function MatchHero({ match }: { match: Match }) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const sport = useAppSelector((state) => selectSport(state, match.sportId)?.name)
  const goal = useAppSelector((state) => selectGoal(state, match.id))
  const isHidden = useAppSelector((state) => selectIsHiddenMatch(state, match.id))
  const [isFavourite, toggleFavourite] = useFavourite(match.id)
  usePageTitle(matchName(match))
  const clock = clockLabel(match.sportId, useClockText(match), t)
  const status = useStatusLabel(match.status)
  const score = match.score?.join(':')
  // Two digits on a side, with which names beside it would touch it or be broken on a phone.
  const isLong = (score?.length ?? 0) > 3
  const periods = periodsText(match)

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
      <div className={styles.meta}>
        <IconButton
          label={t('backToOffer')}
          icon="back"
          onClick={(event) => answerFirst(event.currentTarget, () => dispatch(matchClosed()))}
        />
        <span className={styles.tile}>
          <Icon name={sportClass(match.sportId)} size="s" />
        </span>
        <span className={styles.where}>
          {[sport, match.tournament, match.tournamentDescription].filter(Boolean).join(', ')}
        </span>
        <button
          type="button"
          className={styles.star}
          aria-pressed={isFavourite}
          aria-label={t('favouriteMatch', { match: matchName(match) })}
          onClick={toggleFavourite}
        >
          <Icon name="star" />
        </button>
        <Button look="text" className={styles.hide} onClick={toggleHidden}>
          <Icon name={isHidden ? 'eye' : 'eyeOff'} size="s" />
          <span>{t(isHidden ? 'show' : 'hide')}</span>
        </Button>
      </div>
      <h1 className="vh" {...matchTitleProps}>
        {[matchName(match), score, status?.text].filter(Boolean).join(', ')}
      </h1>
      <div className={styles.board}>
        <Team match={match} side={0} scored={goal === 1} />
        <div className={styles.result}>
          <p className={cx(styles.score, isLong && styles.long)} aria-hidden="true">
            {match.score ? (
              <>
                <span className={cx(goal === 1 && styles.scored)}>{match.score[0]}</span>
                <span> : </span>
                <span className={cx(goal === 2 && styles.scored)}>{match.score[1]}</span>
              </>
            ) : (
              '– : –'
            )}
          </p>
          <p className={styles.line}>
            {clock && <b className={styles.clock}>{clock}</b>}{' '}
            <span className={cx(status?.bracketed && styles.bracketed)}>{status?.text}</span>
          </p>
          {match.game && (
            <p className={cx(styles.line, match.tiebreak === true && styles.tiebreak)}>
              {`${t(gameName(match.sportId, match.tiebreak))} ${match.game.join(':')}`}
            </p>
          )}
          {periods && (
            <p className={styles.line}>
              {scoreLayout(match.sportId).cards ? `${t('halfTimeShort')} ${periods}` : periods}
            </p>
          )}
        </div>
        <Team match={match} side={1} scored={goal === 2} />
      </div>
    </header>
  )
}

/** The scores of the periods. For soccer only the first half, after it is over. */
function periodsText(match: Match): string {
  if (match.result) {
    return match.result
  }
  const periods = match.scores.map(([home, away]) => `${home}:${away}`)
  if (scoreLayout(match.sportId).cards) {
    return match.status === 'first_half' ? '' : (periods[0] ?? '')
  }
  return periods.join('  ')
}

/** Keeps the dot on the line of the last word; a box of its own would be put on the next. */
const NO_BREAK = '\u00a0'

function Team({ match, side, scored }: { match: Match; side: 0 | 1; scored: boolean }) {
  const { t } = useTranslation()
  const turn = t(turnName(match.sportId))
  const red = match.redCards?.[side] ?? 0
  const yellow = match.yellowCards?.[side] ?? 0
  const corners = match.corners?.[side]
  return (
    <div className={cx(styles.team, side === 0 && styles.home)}>
      <p className={styles.name}>
        <span>{side === 0 ? match.home : match.away}</span>
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
        {yellow > 0 && <Extra name={t('yellowCards')} figure={yellow} mark={<i className={styles.yellow} />} />}
        {corners !== undefined && <Extra name={t('corners')} figure={corners} mark={<Icon name="flag" size="s" />} />}
      </p>
    </div>
  )
}

function Extra({ name, figure, mark }: { name: string; figure: number; mark: ReactNode }) {
  return (
    <span className={styles.extra} title={name}>
      {mark}
      <span className="vh">{`${name} `}</span>
      <span>{figure}</span>
    </span>
  )
}
