import { useLayoutEffect } from 'react'
import { useStore } from 'react-redux'
import { ErrorBoundary } from '../components/ErrorBoundary'
import { passFocusOn } from '../components/passFocusOn'
import type { MatchId } from '../domain/offer'
import { MatchPage } from '../features/match/MatchPage'
import { MediaPanels } from '../features/media/MediaPanels'
import { selectOpenMatchId } from '../features/view/viewSelectors'
import { useTranslation } from '../i18n/useTranslation'
import styles from './App.module.css'
import type { RootState } from './store'

/** A match with its scoreboard and its stream, which may fail without its markets noticing. */
export function MatchView({ matchId }: { matchId: MatchId }) {
  const { t } = useTranslation()
  useFocusStays(matchId)
  return (
    <MatchPage matchId={matchId}>
      <ErrorBoundary fallback={<p className={styles.failed}>{t('panelFailed')}</p>}>
        <MediaPanels matchId={matchId} />
      </ErrorBoundary>
    </MatchPage>
  )
}

/**
 * A match that goes because the connection does comes back with it: until then the focus waits at what is around it.
 * Where the match is closed it goes to the list (`useViewFocus`).
 */
function useFocusStays(matchId: MatchId): void {
  const store = useStore<RootState>()
  useLayoutEffect(() => {
    return () => {
      const main = document.querySelector<HTMLElement>('main')
      if (main && selectOpenMatchId(store.getState()) === matchId) {
        passFocusOn(main, () => main)
      }
    }
  }, [store, matchId])
}
