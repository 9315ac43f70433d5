import { type ReactNode, useEffect } from 'react'
import { shallowEqual } from 'react-redux'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { afterPaint } from '../../components/answerFirst'
import { isOfList } from '../../components/pageKeys'
import { useInSteps } from '../../components/useInSteps'
import { useScreen } from '../../components/useScreen'
import type { MatchId } from '../../domain/offer'
import { useTranslation } from '../../i18n/useTranslation'
import { selectHasDetail, selectMarketGroups, selectMatch } from '../../platform/offer/offerSelectors'
import { matchClosed } from '../../platform/view/viewSlice'
import { inTwoColumns, selectWeights } from './groupShape'
import { MarketCard } from './MarketCard'
import { MatchHero } from './MatchHero'
import styles from './MatchPage.module.css'
import { MarketsSkeleton } from './MatchSkeleton'
import { MatchStrip } from './MatchStrip'
import { TagFilter } from './TagFilter'

/** One match with all its markets. `children` (the media) are between the header and the markets. */
export function MatchPage({ matchId, children }: { matchId: MatchId; children?: ReactNode }) {
  const { t } = useTranslation()
  useEscape()
  const isThere = useAppSelector((state) => selectMatch(state, matchId) !== undefined)
  const hasDetail = useAppSelector((state) => selectHasDetail(state, matchId))
  if (!isThere) {
    return null
  }
  return (
    <div>
      <MatchStrip matchId={matchId} />
      <Hero matchId={matchId} />
      <div className={styles.panels}>{children}</div>
      {hasDetail ? (
        <>
          <TagFilter matchId={matchId} />
          <h2 className="vh">{t('markets')}</h2>
          <Markets key={matchId} matchId={matchId} />
        </>
      ) : (
        <MarketsSkeleton />
      )}
    </div>
  )
}

/** Escape closes the match, wherever the focus is, unless another element has handled the key. */
function useEscape() {
  const dispatch = useAppDispatch()
  useEffect(() => {
    const listener = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && isOfList(event.target)) {
        afterPaint(() => dispatch(matchClosed()))
      }
    }
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [dispatch])
}

/** A separate component, because it changes every second and the rest of the page does not. */
function Hero({ matchId }: { matchId: MatchId }) {
  const match = useAppSelector((state) => selectMatch(state, matchId))
  return match && <MatchHero match={match} />
}

/** Cards per column that are mounted at once, as most screens show no more. The others are mounted in steps. */
const FIRST_CARDS = 3
const MORE_CARDS = 3

function Markets({ matchId }: { matchId: MatchId }) {
  const { t } = useTranslation()
  const screen = useScreen()
  const groups = useAppSelector((state) => selectMarketGroups(state, matchId))
  const mounted = useInSteps(FIRST_CARDS, MORE_CARDS, groups.length)
  const weights = useAppSelector((state) => selectWeights(state, groups), shallowEqual)
  if (groups.length === 0) {
    return <p className={styles.none}>{t('noMarkets')}</p>
  }
  const columns = screen === 'phone' ? [groups] : inTwoColumns(groups, weights)
  return (
    <div className={styles.columns}>
      {columns.map((column) => (
        <div key={column[0]?.key ?? ''} className={styles.column}>
          {column.slice(0, mounted).map((group) => (
            <MarketCard key={group.key} matchId={matchId} group={group} />
          ))}
        </div>
      ))}
    </div>
  )
}
