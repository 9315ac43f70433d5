import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { shallowEqual } from 'react-redux'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { afterPaint } from '../../components/answerFirst'
import { cx } from '../../components/cx'
import { isOfList } from '../../components/pageKeys'
import { useInSteps } from '../../components/useInSteps'
import { usePanelRoom } from '../../components/usePanelRoom'
import { useScreen } from '../../components/useScreen'
import type { MatchId } from '../../domain/offer'
import { useTranslation } from '../../i18n/useTranslation'
import { type MarketGroup, selectHasDetail, selectMarketGroups, selectMatch } from '../../platform/offer/offerSelectors'
import { selectFavouriteMarkets } from '../../platform/preferences/preferencesSelectors'
import { matchClosed } from '../../platform/view/viewSlice'
import { inTwoColumns, selectWeights } from './groupShape'
import { MarketBar } from './MarketBar'
import { MarketCard } from './MarketCard'
import { MatchHero } from './MatchHero'
import styles from './MatchPage.module.css'
import { MarketsSkeleton } from './MatchSkeleton'
import { MatchStrip } from './MatchStrip'
import { favouritesFirst, findMarkets } from './marketOrder'

interface MatchPageProps {
  matchId: MatchId
  /** The button of its alerts. It is in the head, or beside the tags where the head has no room. */
  bell?: ReactNode
  children?: ReactNode
}

/** One match with all its markets. `children` (the media) are beside the markets, or above them on smaller screens. */
export function MatchPage({ matchId, bell, children }: MatchPageProps) {
  useEscape()
  const isDesktop = useScreen() === 'desktop'
  const { isBeside } = usePanelRoom()
  const isThere = useAppSelector((state) => selectMatch(state, matchId) !== undefined)
  const hasDetail = useAppSelector((state) => selectHasDetail(state, matchId))
  if (!isThere) {
    return null
  }
  const panels = (
    <div key="panels" className={styles.panels}>
      {children}
    </div>
  )
  const markets = (
    <div key="markets" className={styles.markets}>
      {hasDetail ? <Markets key={matchId} matchId={matchId} bell={!isDesktop && bell} /> : <MarketsSkeleton />}
    </div>
  )
  return (
    <div>
      <MatchStrip matchId={matchId} />
      <Hero matchId={matchId} bell={isDesktop && bell} />
      <div className={cx(styles.body, isBeside && styles.beside)}>
        {isBeside ? [markets, panels] : [panels, markets]}
      </div>
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
function Hero({ matchId, bell }: { matchId: MatchId; bell: ReactNode }) {
  const match = useAppSelector((state) => selectMatch(state, matchId))
  return match && <MatchHero match={match} bell={bell} />
}

/** Cards per column that are mounted at once; one column has room for about six. The others are mounted in steps. */
const FIRST_CARDS = 6
const MORE_CARDS = 3

function Markets({ matchId, bell }: { matchId: MatchId; bell: ReactNode }) {
  const { t } = useTranslation()
  const [query, setQuery] = useState<string | null>(null)
  const all = useAppSelector((state) => selectMarketGroups(state, matchId))
  const sportId = useAppSelector((state) => selectMatch(state, matchId)?.sportId ?? 0)
  const favourites = useAppSelector((state) => selectFavouriteMarkets(state, sportId))
  const groups = useMemo(() => favouritesFirst(findMarkets(all, query ?? ''), favourites), [all, query, favourites])
  const isSearch = Boolean(query?.trim())
  return (
    <>
      <MarketBar matchId={matchId} bell={bell} query={query} onQuery={setQuery} />
      <h2 className="vh">{t('markets')}</h2>
      <p className="vh" role="status">
        {isSearch && groups.length > 0 && t('searchFound', { count: groups.length })}
      </p>
      {groups.length > 0 ? (
        <Cards matchId={matchId} groups={groups} />
      ) : (
        <p className={styles.none} role="status">
          {t(isSearch ? 'marketsNotFound' : 'noMarkets')}
        </p>
      )}
    </>
  )
}

function Cards({ matchId, groups }: { matchId: MatchId; groups: readonly MarketGroup[] }) {
  const { hasTwoColumns } = usePanelRoom()
  const mounted = useInSteps(FIRST_CARDS, MORE_CARDS, groups.length)
  const weights = useAppSelector((state) => selectWeights(state, groups), shallowEqual)
  const columns = hasTwoColumns ? inTwoColumns(groups, weights) : [groups]
  return (
    <div className={cx(styles.columns, !hasTwoColumns && styles.one)}>
      {columns.map((column, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place.
        <div key={place} className={styles.column}>
          {column.slice(0, mounted).map((group) => (
            <MarketCard key={group.key} matchId={matchId} group={group} />
          ))}
        </div>
      ))}
    </div>
  )
}
