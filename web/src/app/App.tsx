import { type MouseEvent, useState } from 'react'
import { cx } from '../components/cx'
import { ErrorBoundary } from '../components/ErrorBoundary'
import { useScreen } from '../components/useScreen'
import { MatchSkeleton } from '../features/match/MatchSkeleton'
import { OfferPage } from '../features/offer/OfferPage'
import { SportChips } from '../features/offer/SportChips'
import { SportRail } from '../features/offer/SportRail'
import { useTranslation } from '../i18n/useTranslation'
import { UnseenGate } from '../platform/offer/OfferGate'
import { selectMatch, selectOfferStatus } from '../platform/offer/offerSelectors'
import { selectHasStrip } from '../platform/preferences/preferencesSelectors'
import { selectOpenMatchId, selectPage } from '../platform/view/viewSelectors'
import { isListPage, type Page } from '../platform/view/viewUrl'
import styles from './App.module.css'
import { AppHeader } from './AppHeader'
import { useAppSelector } from './hooks'
import { Part } from './Part'
import {
  Announcer,
  AppFooter,
  Banners,
  BetsPage,
  BettorOver,
  BottomBar,
  EndedPage,
  ExtrasOver,
  FavouriteStrip,
  LoginPage,
  MatchView,
  SoonPage,
  StatementPage,
  TicketColumn,
} from './parts'
import type { RootState } from './store'
import { useLastShown } from './useLastShown'
import { useViewFocus } from './useViewFocus'

const MAIN_ID = 'main'

/** The frame of the page: header, rail, content, and the ticket as a column or as a sheet at the bottom. */
export function App() {
  const { t } = useTranslation()
  const screen = useScreen()
  const view = useAppSelector(selectView)
  const openMatchId = useAppSelector(selectOpenMatchId)
  const mountedMatchId = useLastShown(view === 'match' ? openMatchId : null)
  useViewFocus(openMatchId)
  const isPhone = screen === 'phone'
  const isNarrow = screen === 'tablet' || view === 'match' || view === 'loadingMatch'
  const isTimed = view === 'soon' || view === 'ended'
  const hasStrip =
    useAppSelector(selectHasStrip) &&
    (view === 'list' || view === 'starting' || isTimed || view === 'match' || view === 'loadingMatch')
  const isLogin = view === 'login' || view === 'register'
  const isList = view === 'list' || view === 'favourites' || view === 'starting'
  // Once mounted, the list stays mounted behind other views, so that coming back does not wait for its rows.
  const [hasList, setHasList] = useState(isList)
  if (isList && !hasList) {
    setHasList(true)
  }
  return (
    <>
      <a className={styles.skip} href={`#${MAIN_ID}`} onClick={skipTo}>
        {t('skipToOffer')}
      </a>
      <AppHeader />
      <ErrorBoundary fallback={null}>
        <Banners />
      </ErrorBoundary>
      <div className={cx(styles.frame, !isPhone && !isLogin && (isNarrow ? styles.narrowRail : styles.rail))}>
        {!isPhone && !isLogin && <SportRail narrow={isNarrow} />}
        <div className={cx(styles.column, isLogin && styles.wholeColumn)}>
          {hasStrip && (
            <div className={styles.strip}>
              <Part>
                <FavouriteStrip />
              </Part>
            </div>
          )}
          <main className={styles.main} id={MAIN_ID} tabIndex={-1}>
            {isPhone && (view === 'list' || view === 'starting' || isTimed) && <SportChips />}
            {/* Before the list, which stays behind it: the row to focus is searched from the start. */}
            {isTimed && <Part>{view === 'soon' ? <SoonPage /> : <EndedPage />}</Part>}
            {hasList && (
              <div className={cx(!isList && styles.behind)}>
                <UnseenGate isShown={isList}>
                  <OfferPage isShown={isList} />
                </UnseenGate>
              </div>
            )}
            {view === 'loadingMatch' && <MatchSkeleton />}
            {mountedMatchId !== null && (
              <div className={styles.match} hidden={view !== 'match'}>
                <MatchView matchId={mountedMatchId} />
              </div>
            )}
            <Part key={view}>
              {isLogin && <LoginPage how={view} />}
              {view === 'bets' && <BetsPage />}
              {view === 'statement' && <StatementPage />}
            </Part>
          </main>
          {!isLogin && (
            <Part>
              <AppFooter />
            </Part>
          )}
        </div>
        {!isPhone && !isLogin && (
          <aside className={styles.ticket} aria-label={t('ticket')}>
            <Part>
              <TicketColumn />
            </Part>
          </aside>
        )}
      </div>
      {isPhone && (
        <div className={styles.bottom}>
          <Part>
            <BottomBar />
          </Part>
        </div>
      )}
      <Part>
        <BettorOver />
      </Part>
      <Part>
        <ExtrasOver />
        <Announcer />
      </Part>
    </>
  )
}

/** The view to show: the opened match only if the offer has it. Without an offer, the list's page shows the reason. */
function selectView(state: RootState): Page | 'match' | 'loadingMatch' {
  const page = selectPage(state)
  const id = selectOpenMatchId(state)
  const status = selectOfferStatus(state)
  const list = page === 'soon' && status !== 'ready' && status !== 'recovering' ? 'list' : page
  if (id === null || !isListPage(page)) {
    return list
  }
  if (status === 'loading') {
    return 'loadingMatch'
  }
  return selectMatch(state, id) ? 'match' : list
}

/** Moves the focus without changing the address: its fragment belongs to the view. */
function skipTo(event: MouseEvent) {
  event.preventDefault()
  document.getElementById(MAIN_ID)?.focus()
}
