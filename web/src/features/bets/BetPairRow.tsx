import { useAppSelector } from '../../app/hooks'
import { cx } from '../../components/cx'
import { Icon } from '../../components/Icon'
import type { BetPair } from '../../domain/bet'
import { formatOdd } from '../../domain/oddsFormat'
import type { Match, MatchId } from '../../domain/offer'
import { standingOf } from '../../domain/standing'
import { useTranslation } from '../../i18n/useTranslation'
import { pairMarket } from '../../platform/offer/marketTitle'
import { matchName } from '../../platform/offer/matchName'
import { selectMatch } from '../../platform/offer/offerSelectors'
import { useMomentText } from '../../platform/offer/useMomentText'
import { selectOddsFormat } from '../../platform/preferences/preferencesSelectors'
import { useOfferedPairs } from '../../platform/ticket/offeredPair'
import { usePairName } from '../../platform/ticket/pairName'
import { useMatchLink } from '../../platform/view/useMatchLink'
import styles from './BetPairRow.module.css'
import { factorText, RESULT_ICONS, useReason } from './betTexts'

interface BetPairRowProps {
  pair: BetPair
  isOpen: boolean
  /** Whether its reason is shown here and not once for the bet. */
  hasReason: boolean
}

/** A pair of a bet: its result or how it stands now, its pick, the score and clock of its match, and what it counts as. */
export function BetPairRow({ pair, isOpen, hasReason }: BetPairRowProps) {
  const { t } = useTranslation()
  const [texts = pair] = useOfferedPairs([pair])
  const name = usePairName()(texts)
  const reasonOf = useReason()
  const match = useAppSelector((state) => selectMatch(state, pair.matchId))
  const standing = isOpen && pair.result === 'open' && match ? standingOf(pair, match) : null
  return (
    <li className={styles.pair}>
      <span className={cx(styles.result, styles[standing && standing.is !== 'needs' ? standing.is : pair.result])}>
        <Icon name={RESULT_ICONS[pair.result]} size="s" />
        <span>
          {standing?.is === 'needs'
            ? t('standing_needs', { count: standing.needs })
            : t(
                standing
                  ? `standing_${standing.is}`
                  : isOpen || pair.result !== 'open'
                    ? `result_${pair.result}`
                    : 'result_undecided',
              )}
        </span>
      </span>
      <span className={styles.what}>
        <b className={styles.name}>
          <span>{name}</span>
          {pair.isFix && ' '}
          {pair.isFix && <span className={styles.fix}>{t('fix')}</span>}
        </b>
        <small className={styles.small}>
          {texts.marketName && <span>{`${pairMarket(texts)}, `}</span>}
          {isOpen && match ? <MatchLink matchId={match.id} name={matchName(texts)} /> : <span>{matchName(texts)}</span>}
        </small>
        {hasReason && pair.reason !== null && <small className={styles.small}>{reasonOf(pair.reason)}</small>}
      </span>
      {isOpen && match ? <Live match={match} /> : <span />}
      <Value pair={pair} />
    </li>
  )
}

function MatchLink({ matchId, name }: { matchId: MatchId; name: string }) {
  return (
    <a className={styles.link} {...useMatchLink(matchId)}>
      {name}
    </a>
  )
}

function Live({ match }: { match: Match }) {
  const { t } = useTranslation()
  const when = useMomentText(match)
  return (
    <span className={styles.live}>
      {match.score && (
        <b className={styles.score}>
          <span className="vh">{`${t('score')} `}</span>
          <span>{match.score.join(':')}</span>
        </b>
      )}
      {when && (
        <span className={styles.clock}>
          <span className="vh">{`, ${t('clockNow')} `}</span>
          <span>{when}</span>
        </span>
      )}
    </span>
  )
}

/** The odd taken; for a decided pair that is not lost what it counts as, and the odd if that is something else. */
function Value({ pair }: { pair: BetPair }) {
  const { t } = useTranslation()
  const format = useAppSelector(selectOddsFormat)
  const odd = formatOdd(pair.oddValue, format)
  const factor = pair.result === 'lost' ? null : factorText(pair, format)
  return (
    <span className={cx(styles.value, pair.result === 'lost' && styles.lostValue)}>
      <span className="vh">{`${t(factor === null ? 'odds' : 'factor')} `}</span>
      <b>{factor ?? odd}</b>
      {factor !== null && factor !== odd && <small className={styles.small}>{t('insteadOfOdd', { odd })}</small>}
    </span>
  )
}
