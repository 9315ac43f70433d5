import { lazy, type MouseEvent, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { cx } from '../components/cx'
import { useScreen } from '../components/useScreen'
import { ConnectionBanner } from '../features/connection/ConnectionBanner'
import { MatchSkeleton } from '../features/match/MatchSkeleton'
import { Announcer } from '../features/notices/Announcer'
import { NoticeToasts } from '../features/notices/NoticeToasts'
import { OfferPage } from '../features/offer/OfferPage'
import { selectMatch, selectOfferStatus } from '../features/offer/offerSelectors'
import { SportChips } from '../features/offer/SportChips'
import { SportRail } from '../features/offer/SportRail'
import { selectOpenMatchId } from '../features/view/viewSelectors'
import styles from './App.module.css'
import { AppFooter } from './AppFooter'
import { AppHeader } from './AppHeader'
import { useAppSelector } from './hooks'
import type { RootState } from './store'
import { useViewFocus } from './useViewFocus'

/** A match with all its markets is a chunk of its own: the list comes without it. */
const MatchPage = lazy(() => import('../features/match/MatchPage'))

const MAIN_ID = 'main'

/** The frame of the page: header, rail, content. The ticket's column comes third. */
export function App() {
  const { t } = useTranslation()
  const screen = useScreen()
  const view = useAppSelector(selectView)
  const openMatchId = useAppSelector(selectOpenMatchId)
  useViewFocus(openMatchId)
  const hasRail = screen !== 'phone'
  const isNarrow = screen === 'tablet' || view !== 'list'
  return (
    <>
      <a className={styles.skip} href={`#${MAIN_ID}`} onClick={skipTo}>
        {t('skipToOffer')}
      </a>
      <AppHeader />
      <ConnectionBanner />
      <div className={cx(styles.frame, hasRail && (isNarrow ? styles.narrowRail : styles.rail))}>
        {hasRail && <SportRail narrow={isNarrow} />}
        <div className={styles.column}>
          <main className={styles.main} id={MAIN_ID} tabIndex={-1}>
            {!hasRail && view === 'list' && <SportChips />}
            {view === 'list' && <OfferPage />}
            {view === 'loadingMatch' && <MatchSkeleton />}
            {view === 'match' && openMatchId !== null && (
              <Suspense fallback={<MatchSkeleton />}>
                <MatchPage matchId={openMatchId} />
              </Suspense>
            )}
          </main>
          <AppFooter />
        </div>
      </div>
      <NoticeToasts />
      <Announcer />
    </>
  )
}

/** A match is shown while there is an offer that has it; why there is none is said by the list's page. */
function selectView(state: RootState): 'list' | 'match' | 'loadingMatch' {
  const id = selectOpenMatchId(state)
  if (id === null) {
    return 'list'
  }
  if (selectOfferStatus(state) === 'loading') {
    return 'loadingMatch'
  }
  return selectMatch(state, id) ? 'match' : 'list'
}

/** Without a fragment in the address, which belongs to the view. */
function skipTo(event: MouseEvent) {
  event.preventDefault()
  document.getElementById(MAIN_ID)?.focus()
}
