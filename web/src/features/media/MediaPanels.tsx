import { useId, useState } from 'react'
import { fetchScoreboard, fetchStream } from '../../api/mediaApi'
import { useAppDispatch, useAppSelector } from '../../app/hooks'
import { Button } from '../../components/Button'
import { Icon } from '../../components/Icon'
import { Spinner } from '../../components/Spinner'
import { Tabs } from '../../components/Tabs'
import { usePanelRoom } from '../../components/usePanelRoom'
import { useScreen } from '../../components/useScreen'
import type { Match, MatchId } from '../../domain/offer'
import { useTranslation } from '../../i18n/useTranslation'
import { matchName } from '../../platform/offer/matchName'
import { selectMatch } from '../../platform/offer/offerSelectors'
import { scoreDetails } from '../../platform/offer/scoreDetails'
import { selectHasPanel, selectIsLowData } from '../../platform/preferences/preferencesSelectors'
import { mediaPanelTurned } from '../../platform/preferences/preferencesSlice'
import styles from './MediaPanels.module.css'
import { Scoreboard } from './Scoreboard'
import { StreamPlayer } from './StreamPlayer'
import { type Asked, useAddress } from './useAddress'

/** The scoreboard's tabs; the stream is one more if there is no room for a second panel. */
const TRACKER_TABS = ['field', 'statistics', 'timeline'] as const
export type TrackerTab = (typeof TRACKER_TABS)[number]
type Tab = TrackerTab | 'stream'

/**
 * Scoreboard and stream of a match: one below the other from 1365 px on, otherwise one panel with the stream as a tab.
 * Where it has no room beside the markets, and in the low-data mode, it is folded into a strip and loads nothing until
 * it is opened.
 */
export function MediaPanels({ matchId }: { matchId: MatchId }) {
  const isWide = useScreen() === 'desktop'
  const { isBeside } = usePanelRoom()
  const isLowData = useAppSelector(selectIsLowData)
  if (isLowData) {
    return <Folded matchId={matchId} />
  }
  if (isWide) {
    return <Wide matchId={matchId} />
  }
  return isBeside ? <Narrow key={matchId} matchId={matchId} /> : <Folded matchId={matchId} />
}

function Wide({ matchId }: { matchId: MatchId }) {
  const { t } = useTranslation()
  const [scoreboard, askScoreboard] = useAddress(fetchScoreboard, matchId)
  const [stream, askStream] = useAddress(fetchStream, matchId)
  return (
    <div className={styles.panels} data-width={530}>
      <section className={styles.panel} aria-label={t('trackerTitle')}>
        <Scoreboard matchId={matchId} asked={scoreboard} again={askScoreboard} width={530} />
      </section>
      {stream.status !== 'none' && (
        <section className={styles.panel} aria-label={t('stream')}>
          <Stream matchId={matchId} asked={stream} again={askStream} />
        </section>
      )}
    </div>
  )
}

/** The strip above the markets. It stays as it was left, in every match. */
function Folded({ matchId }: { matchId: MatchId }) {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  const id = useId()
  const isOpen = useAppSelector(selectHasPanel)
  const match = useAppSelector((state) => selectMatch(state, matchId))
  return (
    <div className={styles.folded}>
      <button
        type="button"
        className={styles.strip}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => dispatch(mediaPanelTurned(!isOpen))}
      >
        <Icon name="bars" size="s" />
        <span className={styles.what}>{t('trackerTitle')}</span>
        {hasStream(match) && (
          <>
            <Icon name="play" size="s" />
            <span className={styles.what}>{t('stream')}</span>
          </>
        )}
        {match && <Details match={match} />}
        <Icon name={isOpen ? 'chevronDown' : 'chevronRight'} size="s" />
      </button>
      {isOpen && (
        <div id={id}>
          <Narrow key={matchId} matchId={matchId} />
        </div>
      )}
    </div>
  )
}

/** Whether the offer says that a match has a stream. */
function hasStream(match: Match | undefined): boolean {
  return match !== undefined && match.performEventId !== null
}

/** On a phone the head of the match has no room for these. */
function Details({ match }: { match: Match }) {
  const { t } = useTranslation()
  const { game, periods } = scoreDetails(match, t)
  return <span className={styles.details}>{[game, periods].filter(Boolean).join('  ')}</span>
}

function Narrow({ matchId }: { matchId: MatchId }) {
  const { t } = useTranslation()
  const id = useId()
  const [scoreboard, askScoreboard] = useAddress(fetchScoreboard, matchId)
  const [stream, askStream] = useAddress(fetchStream, matchId)
  const [fieldName, setFieldName] = useState<string | null>(null)
  const [chosen, setTab] = useState<Tab>('field')
  const hasStreamTab = stream.status !== 'none'
  const tab = chosen === 'stream' && !hasStreamTab ? 'field' : chosen
  const isOurs = scoreboard.status !== 'found' || scoreboard.url.origin === location.origin
  const tabs: { value: Tab; text: string }[] = [
    // The page of an external provider has its own tabs.
    ...(isOurs
      ? [
          { value: 'field' as const, text: fieldName ?? t('trackerField') },
          { value: 'statistics' as const, text: t('trackerStatistics') },
          { value: 'timeline' as const, text: t('trackerTimeline') },
        ]
      : [{ value: 'field' as const, text: t('trackerStatistics') }]),
    ...(hasStreamTab ? [{ value: 'stream' as const, text: t('stream') }] : []),
  ]
  return (
    <div className={styles.panels} data-width={355}>
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
              onFieldName={setFieldName}
            />
          </div>
          {tab === 'stream' && <Stream matchId={matchId} asked={stream} again={askStream} />}
        </div>
      </section>
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
