import { useCallback, useId, useState } from 'react'
import { fetchScoreboard, fetchStream } from '../../api/mediaApi'
import { useAppSelector } from '../../app/hooks'
import { Button } from '../../components/Button'
import { cx } from '../../components/cx'
import { Spinner } from '../../components/Spinner'
import { Tabs } from '../../components/Tabs'
import { useScreen } from '../../components/useScreen'
import type { Match, MatchId } from '../../domain/offer'
import { useTranslation } from '../../i18n/useTranslation'
import { matchName } from '../../platform/offer/matchName'
import { selectMatch } from '../../platform/offer/offerSelectors'
import styles from './MediaPanels.module.css'
import { Scoreboard } from './Scoreboard'
import { StreamPlayer } from './StreamPlayer'
import { SummaryView } from './SummaryView'
import type { Summary } from './summary'
import { type Asked, useAddress } from './useAddress'

/** The scoreboard's tabs; the stream is one more if there is no room for a second panel. */
const TRACKER_TABS = ['field', 'statistics', 'timeline'] as const
export type TrackerTab = (typeof TRACKER_TABS)[number]
type Tab = TrackerTab | 'stream'

/** Scoreboard and stream of a match: side by side from 1365 px on, otherwise one panel with the stream as a tab. */
export function MediaPanels({ matchId }: { matchId: MatchId }) {
  const screen = useScreen()
  const isWide = screen === 'desktop'
  const [scoreboard, askScoreboard] = useAddress(fetchScoreboard, matchId)
  const [stream, askStream] = useAddress(fetchStream, matchId)
  const [summary, setSummary] = useState<Summary | null>(null)
  const [hasPanel, setHasPanel] = useState<boolean | null>(null)
  const isLikely = useAppSelector((state) => mayHaveSummary(selectMatch(state, matchId)))
  // The summary belongs to one match, so it is reset for another.
  const [told, setTold] = useState(matchId)
  if (told !== matchId) {
    setTold(matchId)
    setSummary(null)
    setHasPanel(null)
  }
  // The first summary decides whether it has a panel: a later one would move the scoreboard aside.
  const onSummary = useCallback((next: Summary) => {
    setSummary(next)
    setHasPanel((had) => had ?? hasContent(next))
  }, [])
  const isKept = hasPanel ?? (isLikely && isAwaited(scoreboard))
  const shared = { matchId, scoreboard, askScoreboard, stream, askStream, summary, hasPanel, isKept, onSummary }
  return isWide ? <Wide {...shared} /> : <Narrow key={matchId} {...shared} />
}

interface PanelProps {
  matchId: MatchId
  scoreboard: Asked
  askScoreboard: () => void
  stream: Asked
  askStream: () => void
  summary: Summary | null
  /** Whether the summary has a panel if there is no stream; null until it is known. */
  hasPanel: boolean | null
  /** Whether the place of that panel is kept. */
  isKept: boolean
  onSummary: (summary: Summary) => void
}

function Wide(props: PanelProps) {
  const { matchId, scoreboard, askScoreboard, stream, askStream, summary, hasPanel, isKept, onSummary } = props
  const { t } = useTranslation()
  const hasStream = stream.status !== 'none'
  const isAlone = !hasStream && !isKept
  return (
    <div className={styles.room}>
      <div className={cx(styles.wide, isAlone && styles.alone)} data-stream={stream.status}>
        <section className={styles.panel} aria-label={t('trackerTitle')}>
          <Scoreboard matchId={matchId} asked={scoreboard} again={askScoreboard} width={530} onSummary={onSummary} />
        </section>
        {hasStream ? (
          <section className={styles.panel} aria-label={t('stream')}>
            <Stream matchId={matchId} asked={stream} again={askStream} />
            {summary && <SummaryView summary={summary} withBars={false} />}
          </section>
        ) : (
          <SummaryPanel summary={hasPanel ? summary : null} />
        )}
      </div>
    </div>
  )
}

function SummaryPanel({ summary }: { summary: Summary | null }) {
  const { t } = useTranslation()
  return (
    summary && (
      <section className={styles.panel} aria-label={t('trackerTimeline')}>
        <SummaryView summary={summary} withBars />
      </section>
    )
  )
}

/**
 * Our own page sends a summary once it has loaded. Its place is kept until then: otherwise the scoreboard would move
 * aside when it comes.
 */
function isAwaited(scoreboard: Asked): boolean {
  const isOurs = scoreboard.status === 'found' && scoreboard.url.origin === location.origin
  return isOurs || scoreboard.status === 'loading'
}

/** One or two bars without events only repeat the scores below the playing area. */
const BARS_LEAST = 3

/** Without content there is no panel for it. */
function hasContent({ bars, lines }: Summary): boolean {
  return lines.length > 0 || bars.length >= BARS_LEAST
}

/** Whether the summary of a match has content, as far as the offer says: a finished period is an event. */
function mayHaveSummary(match: Match | undefined): boolean {
  return match !== undefined && (match.corners !== null || match.yellowCards !== null || match.scores.length > 1)
}

function Narrow(props: PanelProps) {
  const { matchId, scoreboard, askScoreboard, stream, askStream, summary, hasPanel, isKept, onSummary } = props
  const { t } = useTranslation()
  const id = useId()
  const isPhone = useScreen() === 'phone'
  const [chosen, setTab] = useState<Tab>('field')
  const hasStream = stream.status !== 'none'
  const tab = chosen === 'stream' && !hasStream ? 'field' : chosen
  const isOurs = scoreboard.status !== 'found' || scoreboard.url.origin === location.origin
  const tabs: { value: Tab; text: string }[] = [
    // The page of an external provider has its own tabs.
    ...(isOurs
      ? [
          { value: 'field' as const, text: summary?.field ?? t('trackerField') },
          { value: 'statistics' as const, text: t('trackerStatistics') },
          { value: 'timeline' as const, text: t('trackerTimeline') },
        ]
      : [{ value: 'field' as const, text: t('trackerStatistics') }]),
    ...(hasStream ? [{ value: 'stream' as const, text: t('stream') }] : []),
  ]
  return (
    <div className={cx(styles.narrow, (isPhone || !isKept) && styles.alone)}>
      <section className={styles.panel} aria-label={t('trackerTitle')}>
        {tabs.length > 1 && (
          <div className={styles.tabs}>
            <Tabs label={t('trackerTitle')} tabs={tabs} value={tab} onChange={setTab} panelId={id} />
          </div>
        )}
        <div
          className={styles.turned}
          id={id}
          role="tabpanel"
          aria-label={tabs.find(({ value }) => value === tab)?.text}
        >
          <div className={styles.framed} hidden={tab === 'stream'}>
            <Scoreboard
              matchId={matchId}
              asked={scoreboard}
              again={askScoreboard}
              width={355}
              tab={tab === 'stream' ? 'field' : tab}
              onSummary={onSummary}
            />
          </div>
          {tab === 'stream' && <Stream matchId={matchId} asked={stream} again={askStream} />}
        </div>
      </section>
      <SummaryPanel summary={!isPhone && hasPanel ? summary : null} />
    </div>
  )
}

/** The kind of a stream that does not show the match. */
const DEMO = 'demo'

function Stream({ matchId, asked, again }: { matchId: MatchId; asked: Asked; again: () => void }) {
  const { t } = useTranslation()
  const match = useAppSelector((state) => selectMatch(state, matchId))
  if (asked.status === 'found') {
    return (
      <StreamPlayer
        key={asked.url.href + matchId}
        url={asked.url}
        match={match ? matchName(match) : ''}
        isDemo={match?.performEventType === DEMO}
      />
    )
  }
  if (asked.status === 'loading') {
    return (
      <div className={styles.video} aria-busy="true">
        <Spinner />
        <span className="vh">{t('loading')}</span>
      </div>
    )
  }
  return (
    <div className={styles.video}>
      <p>{t('streamFailed')}</p>
      <Button onClick={again}>{t('tryAgain')}</Button>
    </div>
  )
}
