import { useEffect, useRef, useState } from 'react'
import { useAppSelector } from '../../app/hooks'
import { Button } from '../../components/Button'
import { cx } from '../../components/cx'
import { Spinner } from '../../components/Spinner'
import type { MatchId } from '../../domain/offer'
import { useTranslation } from '../../i18n/useTranslation'
import { selectLanguage } from '../../platform/preferences/preferencesSelectors'
import { readFieldName } from './fieldName'
import type { TrackerTab } from './MediaPanels'
import styles from './MediaPanels.module.css'
import type { Asked } from './useAddress'

export interface ScoreboardProps {
  matchId: MatchId
  asked: Asked
  again: () => void
  /** The width in px; it is a parameter of the page's address. */
  width: 355 | 530
  /** The selected tab, if the tabs are outside the frame. */
  tab?: TrackerTab
  /** Gets the title of the page's first tab. */
  onFieldName?: (name: string) => void
}

/** The scoreboard page in a frame: ours, or that of an external provider. */
export function Scoreboard({ matchId, asked, again, width, tab, onFieldName }: ScoreboardProps) {
  const { t } = useTranslation()
  const language = useAppSelector(selectLanguage)
  const frame = useRef<HTMLIFrameElement>(null)
  const [loaded, setLoaded] = useState('')
  const url = asked.status === 'found' ? addressOf(asked.url, language, width, tab !== undefined) : null
  const isOurs = url?.origin === location.origin

  useEffect(() => {
    const listen = ({ source, origin, data }: MessageEvent) => {
      if (source !== null && source === frame.current?.contentWindow && origin === location.origin) {
        const name = readFieldName(data, matchId)
        if (name) {
          onFieldName?.(name)
        }
      }
    }
    window.addEventListener('message', listen)
    return () => window.removeEventListener('message', listen)
  }, [matchId, onFieldName])

  // A page that is still loading cannot receive messages, so the tab is sent again after it has loaded.
  useEffect(() => {
    if (tab && isOurs && loaded) {
      frame.current?.contentWindow?.postMessage({ kind: 'kvota-tab', tab }, location.origin)
    }
  }, [tab, isOurs, loaded])

  if (asked.status === 'loading') {
    return (
      <div className={styles.state} aria-busy="true">
        <Spinner />
        <span className="vh">{t('loading')}</span>
      </div>
    )
  }
  if (!url) {
    return (
      <div className={cx(styles.state, asked.status === 'none' && styles.none)}>
        <p>{t('trackerUnavailable')}</p>
        {asked.status === 'failed' && <Button onClick={again}>{t('tryAgain')}</Button>}
      </div>
    )
  }
  return (
    <iframe
      ref={frame}
      key={url.href}
      className={styles.frame}
      data-width={width}
      title={t('trackerTitle')}
      src={url.href}
      width={width}
      allow=""
      referrerPolicy="same-origin"
      {...(!isOurs && { sandbox: 'allow-scripts allow-same-origin' })}
      onLoad={() => setLoaded(url.href)}
    />
  )
}

/** Adds `lang` and `width` (CONTRACT 2). Our own page also accepts `tabs=0`, which hides its tabs. */
export function addressOf(page: URL, language: string, width: 355 | 530, isOurTabs: boolean): URL {
  const url = new URL(page)
  url.searchParams.set('lang', language)
  url.searchParams.set('width', String(width))
  if (isOurTabs && url.origin === location.origin) {
    url.searchParams.set('tabs', '0')
  }
  return url
}
