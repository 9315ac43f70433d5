import { useEffect, useId, useRef, useState } from 'react'
import { fetchHistory, type PricePoint } from '../../api/historyApi'
import { useAppSelector } from '../../app/hooks'
import { Callout } from '../../components/Callout'
import { cx } from '../../components/cx'
import { Spinner } from '../../components/Spinner'
import { formatOdd } from '../../domain/oddsFormat'
import { formatDateTime } from '../../i18n/locale'
import { useTranslation } from '../../i18n/useTranslation'
import { selectServerOffset } from '../../platform/connection/connectionSelectors'
import { titleOf } from '../../platform/offer/marketTitle'
import { matchName } from '../../platform/offer/matchName'
import { oddLabel } from '../../platform/offer/oddLabel'
import { selectMarket, selectMatch, selectOdd } from '../../platform/offer/offerSelectors'
import { selectLanguage, selectOddsFormat } from '../../platform/preferences/preferencesSelectors'
import { draw, factsOf, type Trail } from './chart'
import styles from './HistoryCard.module.css'
import type { Asked } from './oddUnder'
import { PriceAlertRow } from './PriceAlertRow'

const WIDTH = 260
const HEIGHT = 84
/** How often the chart is drawn again, as its right edge is the current time. */
const TICK_MS = 1000
const TIME = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const

export interface HistoryCardProps {
  asked: Asked
  onClose: () => void
}

/** The price history of an odd, as a chart and as text. It is updated while it is open. */
export function HistoryCard({ asked, onClose }: HistoryCardProps) {
  const { t } = useTranslation()
  const { oddId, button, how } = asked
  const odd = useAppSelector((state) => selectOdd(state, oddId))
  const market = useAppSelector((state) => odd && selectMarket(state, odd.marketId))
  const match = useAppSelector((state) => market && selectMatch(state, market.matchId))
  const trail = useTrail(market?.matchId, oddId, odd?.value)
  const titleId = useId()
  if (!odd || !market || !match) {
    return null
  }
  return (
    <Callout
      className={styles.card}
      of={button}
      takesFocus={how === 'byKey'}
      closingKey="g"
      onClose={onClose}
      aria-labelledby={titleId}
      data-history={oddId}
    >
      <p className={styles.title} id={titleId}>
        <span className="vh">{`${t('historyTitle')}, ${matchName(match)}, `}</span>
        <span>{titleOf(market, [odd])}</span>
        <b className={styles.odd}>{oddLabel(odd)}</b>
      </p>
      {trail === 'failed' && <p className={styles.said}>{t('historyFailed')}</p>}
      {trail === null && (
        <p className={styles.said}>
          <Spinner />
          <span className="vh">{t('loading')}</span>
        </p>
      )}
      {trail !== null && trail !== 'failed' && <Drawing trail={trail} />}
      <PriceAlertRow matchId={match.id} odd={odd} />
    </Callout>
  )
}

function Drawing({ trail }: { trail: Trail }) {
  const { t } = useTranslation()
  const language = useAppSelector(selectLanguage)
  const format = useAppSelector(selectOddsFormat)
  const nowMs = useNow()
  const facts = factsOf(trail)
  if (!facts) {
    return <p className={styles.said}>{t('historyNone')}</p>
  }
  const chart = draw(trail, nowMs, WIDTH, HEIGHT)
  const price = (value: number) => formatOdd(value, format)
  const time = (ms: number) => formatDateTime(language, ms, TIME)
  const words = {
    count: facts.count,
    first: price(facts.first),
    last: price(facts.last),
    lowest: price(facts.lowest),
    highest: price(facts.highest),
  }
  const went = Math.sign(facts.last - facts.first)
  const newest = trail.changes.slice(-5).reverse()
  return (
    <>
      <svg
        className={cx(styles.chart, facts.last > 0 && went > 0 && styles.up, facts.last > 0 && went < 0 && styles.down)}
        viewBox={`-4 -8 ${WIDTH + 12} ${HEIGHT + 16}`}
        role="img"
        aria-label={t(facts.count === 0 ? 'historyStill' : 'historySummary', words)}
      >
        <path className={styles.edge} d={`M0 0H${WIDTH}M0 ${HEIGHT}H${WIDTH}`} />
        <path className={styles.area} d={chart.area} />
        <path className={styles.line} d={chart.line} />
        {chart.now && <circle className={styles.now} cx={chart.now.x} cy={chart.now.y} r="3.5" />}
      </svg>
      <p className={styles.times} aria-hidden="true">
        <span>{facts.count > 0 && time(chart.fromMs)}</span>
        <span>{t('historyNow')}</span>
      </p>
      {facts.count === 0 ? (
        <p className={styles.still}>{t('historyStill', words)}</p>
      ) : (
        <dl className={styles.facts}>
          <Fact name={t('historyLowest')} value={words.lowest} />
          <Fact name={t('historyHighest')} value={words.highest} />
          <Fact name={t('historyChanges')} value={String(facts.count)} />
          <Fact name={t('historyLast')} value={words.last} />
        </dl>
      )}
      <ol className="vh" aria-label={t('historyNewest')}>
        {newest.map(({ atMs, value }) => (
          <li key={atMs}>{`${time(atMs)} ${price(value)}`}</li>
        ))}
      </ol>
    </>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd className={styles.figure}>{value}</dd>
    </div>
  )
}

/** The server's history plus the changes since then; null until it is loaded. */
function useTrail(matchId: number | undefined, oddId: number, value: number | undefined): Trail | 'failed' | null {
  const [told, setTold] = useState<{ readonly before: number; readonly changes: readonly PricePoint[] } | null>(null)
  const [failed, setFailed] = useState(false)
  const offset = useAppSelector(selectServerOffset)
  const latest = useRef(value)
  useEffect(() => {
    latest.current = value
  })
  useEffect(() => {
    if (matchId === undefined) {
      return
    }
    const giveUp = new AbortController()
    fetchHistory(matchId, oddId, giveUp.signal).then(
      (history) => {
        if (!giveUp.signal.aborted) {
          const { before, changes = [] } = history ?? { before: null }
          setTold({ before: before ?? latest.current ?? 0, changes })
        }
      },
      () => !giveUp.signal.aborted && setFailed(true),
    )
    return () => giveUp.abort()
  }, [matchId, oddId])
  // Append the changes that arrive while the card is open.
  const last = told && (told.changes.at(-1)?.value ?? told.before)
  if (told && value !== undefined && value !== last) {
    setTold({ ...told, changes: [...told.changes, { atMs: Date.now() + offset, value }] })
  }
  return failed ? 'failed' : told
}

/** The server's time, updated every second. */
function useNow(): number {
  const offset = useAppSelector(selectServerOffset)
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), TICK_MS)
    return () => window.clearInterval(timer)
  }, [])
  return now + offset
}
