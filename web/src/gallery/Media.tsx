import { useEffect, useRef } from 'react'
import type { Pair } from '../domain/offer'
import { sportClass } from '../domain/sportClass'
import { HistoryCard } from '../features/history/HistoryCard'
import { Scoreboard } from '../features/media/Scoreboard'
import { StreamPlayer } from '../features/media/StreamPlayer'
import type { Asked } from '../features/media/useAddress'
import { useTranslation } from '../i18n/useTranslation'
import type { ToldMatch } from '../protocol/frames'
import type { History } from '../scoreboard/history'
import styles from './gallery.module.css'
import { BOARD_MATCHES } from './offers'
import { Specimen } from './Specimen'
import { native, press, tell } from './steps'
import { HISTORY, type TrackerState, trackedOf, trackerPage } from './tracked'
import { TRACKER_SAMPLES } from './trackers'
import { json, never, status } from './world'

const ODD = 9000
/** A button that is not in the page, so its card is placed in the corner. */
const BUTTON = document.createElement('button')
const BY_PRESS = { oddId: ODD, button: BUTTON, how: 'byPress' } as const

const NOW = Date.now()
const history = (before: number, changes: readonly number[]) =>
  json({ date: NOW, before, changes: changes.map((value, place) => [NOW - (changes.length - place) * 60_000, value]) })

/** The current price is 1.28. */
const HISTORIES = {
  'gone down': history(1.55, [1.5, 1.42, 1.44, 1.35, 0, 1.33, 1.28]),
  'gone up': history(1.1, [1.12, 1.15, 1.14, 1.2, 1.28]),
  still: history(1.28, []),
  failed: status(503),
  loading: never,
} as const

const CARD = { height: '17rem' } as const

const NO_ADDRESS = ['loading', 'none', 'failed'] as const
const URL_OF_STREAM = new URL('/demo/stream.m3u8', location.href)

const PLAYER = {
  idle: [],
  loading: [press('button')],
  playing: [press('button'), tell('video', 'playing')],
  paused: [press('button'), tell('video', 'playing'), tell('video', 'pause')],
  failed: [native('video'), press('button'), tell('video', 'error')],
} as const

const TRACKERS: readonly TrackerState[] = ['loading', 'inactive', 'gone', 'stale']

/** The odds history and the media of a match. */
export function Media() {
  return (
    <section className={styles.section}>
      <h2>History, pictures</h2>
      {Object.entries(HISTORIES).map(([is, answer]) => (
        <Specimen key={is} of="HistoryCard" is={is} answer={answer} style={CARD}>
          <HistoryCard asked={BY_PRESS} onClose={() => undefined} />
        </Specimen>
      ))}
      {NO_ADDRESS.map((status) => (
        <Frame key={status} asked={{ status }} />
      ))}
      {Object.entries(PLAYER).map(([is, steps]) => (
        <Specimen key={is} of="StreamPlayer" is={is} steps={steps}>
          <div className={styles.panel}>
            <StreamPlayer url={URL_OF_STREAM} match="Dinamo Zagreb – Hajduk Split" isDemo={false} />
          </div>
        </Specimen>
      ))}
    </section>
  )
}

const TRACKED = { '--least': '22.5rem' } as React.CSSProperties

/** The scoreboard page for each playing area, and its messages. */
export function Trackers() {
  return (
    <section className={styles.section} style={TRACKED}>
      <h2>Match tracker</h2>
      {TRACKERS.map((state) => (
        <Tracker key={state} is={`soccer, ${state}`} state={state} />
      ))}
      <Tracker is="soccer, statistics" state="statistics" />
      <Tracker is="soccer, timeline" state="timeline" />
      {BOARD_MATCHES.map((match) => (
        <Tracker key={match.id} is={`${sportClass(match.sportId)}, score only`} state="shown" match={match} />
      ))}
      {TRACKER_SAMPLES.map(({ match, history, before }) => (
        <Tracker
          key={match.id}
          is={sportClass(match.sportId)}
          state="shown"
          match={match}
          whole={history}
          before={before}
        />
      ))}
      <Tracker is="soccer at 530 px" state="shown" width={530} />
    </section>
  )
}

function Frame({ asked }: { asked: Asked }) {
  return (
    <Specimen of="Scoreboard" is={asked.status}>
      <div className={styles.panel} style={{ '--panel-h': '8rem' } as React.CSSProperties}>
        <Scoreboard matchId={101} asked={asked} again={() => undefined} width={355} />
      </div>
    </Specimen>
  )
}

interface TrackerProps {
  is: string
  state: TrackerState
  match?: ToldMatch | undefined
  width?: 355 | 530
  /** All zones below each other, as outside the page of a match, with this history. */
  whole?: History
  before?: Pair | undefined
}

const [SOCCER] = BOARD_MATCHES

function Tracker({ is, state, match = SOCCER, width = 355, whole, before }: TrackerProps) {
  return (
    <Specimen of="tracker" is={is}>
      {match && <Shadow state={state} match={match} width={width} whole={whole} before={before} />}
    </Specimen>
  )
}

/** The height of the page without its tabs at 355 px, and with them at 530 px. */
const HEIGHTS = { 355: 356, 530: 392 } as const

interface ShadowProps {
  state: TrackerState
  match: ToldMatch
  width: 355 | 530
  whole: History | undefined
  before: Pair | undefined
}

/** The scoreboard page in a shadow root, because its style sheet is written for a separate page. */
function Shadow({ state, match, width, whole, before }: ShadowProps) {
  const host = useRef<HTMLDivElement>(null)
  const { i18n } = useTranslation()
  useEffect(() => {
    const element = host.current
    if (element) {
      const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' })
      const history = whole ?? (match.sportId === 1 ? HISTORY : undefined)
      trackerPage(root, i18n, state, trackedOf(match, history, before), width, !whole)
    }
  }, [i18n, state, match, width, whole, before])
  return (
    <div
      ref={host}
      className={styles.tracker}
      data-sport={sportClass(match.sportId)}
      style={{ width, maxWidth: '100%', height: whole ? undefined : HEIGHTS[width] + 40 }}
    />
  )
}
