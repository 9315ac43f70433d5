import { ErrorBoundary } from '../components/ErrorBoundary'
import type { MatchId } from '../domain/offer'
import { AlertBell } from '../features/alerts/AlertBell'
import { MatchPage } from '../features/match/MatchPage'
import { MediaPanels } from '../features/media/MediaPanels'
import { useTranslation } from '../i18n/useTranslation'
import styles from './App.module.css'

/** A match with its scoreboard and stream. If these fail, the markets are not affected. */
export function MatchView({ matchId }: { matchId: MatchId }) {
  const { t } = useTranslation()
  return (
    <MatchPage matchId={matchId} bell={<AlertBell matchId={matchId} />}>
      <ErrorBoundary fallback={<p className={styles.failed}>{t('panelFailed')}</p>}>
        <MediaPanels matchId={matchId} />
      </ErrorBoundary>
    </MatchPage>
  )
}
