import { memo } from 'react'
import { shallowEqual } from 'react-redux'
import { useAppSelector } from '../../app/hooks'
import { Icon } from '../../components/Icon'
import { OddsButton } from '../../components/OddsButton'
import type { Match, MatchId, OddId } from '../../domain/offer'
import { sportClass } from '../../domain/sportClass'
import { useTranslation } from '../../i18n/useTranslation'
import { titleOf } from '../../platform/offer/marketTitle'
import { matchName, teamName } from '../../platform/offer/matchName'
import { selectMarket, selectMatch, selectOdd } from '../../platform/offer/offerSelectors'
import { useMomentText } from '../../platform/offer/useMomentText'
import { useOddView } from '../../platform/offer/useOddView'
import { usePick } from '../../platform/ticket/usePick'
import { useMatchLink } from '../../platform/view/useMatchLink'
import styles from './SoonCard.module.css'
import type { SoonMarket, SoonMatch } from './soonMatches'

/** The markets of a match that are shown here; its own page has all. */
const SHOWN_MARKETS = 2

/** A match with its markets that are decided soon. Memoised: the list renders for every market that comes or goes. */
export const SoonCard = memo(function SoonCard({ matchId, markets }: SoonMatch) {
  const match = useAppSelector((state) => selectMatch(state, matchId))
  return match ? <Card match={match} markets={markets} /> : null
})

function Card({ match, markets }: { match: Match; markets: readonly SoonMarket[] }) {
  const { t } = useTranslation()
  const link = useMatchLink(match.id)
  const when = useMomentText(match)
  const sport = sportClass(match.sportId)
  return (
    <li className={styles.card} data-row="soon" data-match-id={match.id} data-sport={sport}>
      <div className={styles.head}>
        <span className={styles.sport} title={match.sportName ?? undefined}>
          <Icon name={sport} />
          <span className="vh">{`${match.sportName ?? ''}, `}</span>
        </span>
        <a className={styles.name} data-cell="match" title={matchName(match)} {...link}>
          <span className={styles.team}>{`${teamName(match.home)} –`}</span>{' '}
          <span className={styles.team}>{teamName(match.away)}</span>
        </a>
        {match.score && (
          <b className={styles.score}>
            <span className="vh">{`, ${t('score')} `}</span>
            <span>{match.score.join(':')}</span>
          </b>
        )}
        {when && (
          <span className={styles.moment}>
            <span className="vh">{`, ${t('clockNow')} `}</span>
            <span>{when}</span>
          </span>
        )}
      </div>
      {markets.slice(0, SHOWN_MARKETS).map((market) => (
        <MarketLine key={market.marketId} match={match} {...market} />
      ))}
    </li>
  )
}

function MarketLine({ match, marketId, minutes }: { match: Match } & SoonMarket) {
  const { t } = useTranslation()
  const market = useAppSelector((state) => selectMarket(state, marketId), shallowEqual)
  const name = useAppSelector((state) => {
    const odds = market?.oddIds.map((oddId) => selectOdd(state, oddId)).filter((odd) => odd !== undefined)
    return market && odds ? titleOf(market, odds) : ''
  })
  if (!market) {
    return null
  }
  const time = minutes === 0 ? t('soonInSeconds') : t('soonIn', { count: minutes })
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form fields.
    <div className={styles.market} role="group" aria-label={`${name}, ${time}`} data-market-id={marketId}>
      <span className={styles.label} aria-hidden="true">
        {name}
      </span>
      <span className={styles.time} aria-hidden="true">
        <Icon name="clock" size="s" />
        <span>{time}</span>
      </span>
      <div className={styles.odds}>
        {market.oddIds.map((oddId) => (
          <Price key={oddId} matchId={match.id} oddId={oddId} spokenBefore={`${matchName(match)}, ${name}`} />
        ))}
      </div>
    </div>
  )
}

const Price = memo(function Price({
  matchId,
  oddId,
  spokenBefore,
}: {
  matchId: MatchId
  oddId: OddId
  spokenBefore: string
}) {
  const view = useOddView(matchId, oddId)
  const pick = usePick()
  return (
    view && (
      <div className={styles.slot}>
        <OddsButton
          {...view}
          layout="labelled"
          spokenBefore={spokenBefore}
          onPress={(pressedId) => pick(matchId, pressedId)}
        />
      </div>
    )
  )
})
