import type { TFunction } from 'i18next'
import { cx } from '../../components/cx'
import type { Match, Pair, Side } from '../../domain/offer'
import { gameName } from '../../i18n/gameName'
import { useTranslation } from '../../i18n/useTranslation'
import { figuresOf, scoreLayout } from '../../platform/offer/scoreLayout'
import styles from './MatchScore.module.css'

export interface MatchScoreProps {
  match: Match
  /** How many periods have a column. */
  periods: number
  goal: Side | undefined
}

const SIDES = [0, 1] as const

/** The figures of a row, one line a side. Drawn for eyes; the same is said in words beside it. */
export function MatchScore({ match, periods, goal }: MatchScoreProps) {
  const { t } = useTranslation()
  const layout = scoreLayout(match.sportId)
  return (
    <>
      <span className="vh">{spokenScore(match, t)}</span>
      <div className={cx(styles.score, layout.cards && styles.withCards)} aria-hidden="true">
        {SIDES.map((side) => (
          <div key={side} className={styles.line}>
            {layout.cards && <Cards match={match} side={side} />}
            <Figures match={match} side={side} columns={periods} goal={goal} />
          </div>
        ))}
      </div>
    </>
  )
}

function Figures({
  match,
  side,
  columns,
  goal,
}: {
  match: Match
  side: 0 | 1
  columns: number
  goal?: Side | undefined
}) {
  const { game } = scoreLayout(match.sportId)
  const { periods, score, points } = figuresOf(match, side, columns)
  return (
    <>
      {periods.map(({ period, figure, isCurrent }) => (
        <span key={period} className={cx(isCurrent && styles.current)}>
          {figure}
        </span>
      ))}
      {game !== 'instead' && <span className={cx(styles.main, goal === side + 1 && styles.goal)}>{score ?? '–'}</span>}
      {(game === 'instead' || game === 'beside') && (
        <span className={cx(styles.game, match.tiebreak === true && styles.tiebreak)}>{points ?? '–'}</span>
      )}
    </>
  )
}

function Cards({ match, side }: { match: Match; side: 0 | 1 }) {
  const red = match.redCards?.[side] ?? 0
  return (
    <>
      <span className={cx(red > 0 && styles.red)}>{red > 0 ? red : null}</span>
      <span className={styles.extra}>{match.yellowCards && (match.yellowCards[side] || '·')}</span>
      <span className={styles.extra}>{match.corners?.[side]}</span>
    </>
  )
}

/** Score, periods, game, cards and corners as a sentence. */
export function spokenScore(match: Match, t: TFunction): string {
  const parts: string[] = []
  const add = (text: string, pair: Pair<number | string> | null) => {
    if (pair) {
      parts.push(`${text} ${pair[0]}:${pair[1]}`.trim())
    }
  }
  add(t('score'), match.score)
  if (match.scores.length > 0) {
    parts.push(match.scores.map(([home, away]) => `${home}:${away}`).join(' '))
  }
  add(t(gameName(match.sportId, match.tiebreak)), match.game)
  add(t('redCards'), nonZero(match.redCards))
  add(t('yellowCards'), nonZero(match.yellowCards))
  add(t('corners'), nonZero(match.corners))
  return parts.join(', ')
}

function nonZero(pair: Pair | null): Pair | null {
  return pair && (pair[0] > 0 || pair[1] > 0) ? pair : null
}
