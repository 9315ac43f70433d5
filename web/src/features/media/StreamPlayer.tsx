import { useEffect, useRef, useState } from 'react'
import { useAppSelector } from '../../app/hooks'
import { Button } from '../../components/Button'
import { Icon } from '../../components/Icon'
import { IconButton } from '../../components/IconButton'
import { Spinner } from '../../components/Spinner'
import { useTranslation } from '../../i18n/useTranslation'
import { selectServerOffset } from '../../platform/connection/connectionSelectors'
import { secondsBehind } from './behind'
import { type Player, startPlayer } from './player'
import styles from './StreamPlayer.module.css'

/** `idle`: nothing is fetched before the user starts the stream. */
type Status = 'idle' | 'loading' | 'playing' | 'paused' | 'failed'

const LOOK_EVERY_MS = 1000

export interface StreamPlayerProps {
  url: URL
  match: string
  /** Whether the video is a sample that does not show the match. */
  isDemo: boolean
}

/** The video of a match. It plays on request and is muted at first. */
export function StreamPlayer({ url, match, isDemo }: StreamPlayerProps) {
  const { t } = useTranslation()
  const video = useRef<HTMLVideoElement>(null)
  const [status, setStatus] = useState<Status>('idle')
  const [isMuted, setMuted] = useState(true)
  const isWanted = status !== 'idle' && status !== 'failed'
  const player = usePlayer(video, url, isWanted, {
    onFailed: () => setStatus('failed'),
    // Some browsers refuse to play if the click is too long ago. Then the user can press play again.
    onRefused: () => setStatus((now) => (now === 'loading' ? 'paused' : now)),
  })
  const behind = useBehind(player, status === 'playing')

  const toggle = () => {
    if (status === 'idle' || status === 'failed') {
      setStatus('loading')
    } else if (status === 'playing') {
      video.current?.pause()
    } else {
      void video.current?.play().catch(ignoreRefusal)
    }
  }
  return (
    <div className={styles.player} data-status={status}>
      <video
        ref={video}
        className={styles.video}
        playsInline
        muted={isMuted}
        aria-label={t('streamVideo', { match })}
        onPlaying={() => setStatus('playing')}
        onWaiting={() => setStatus((now) => (now === 'playing' ? 'loading' : now))}
        onPause={() => setStatus((now) => (now === 'playing' || now === 'loading' ? 'paused' : now))}
        onVolumeChange={(event) => setMuted(event.currentTarget.muted)}
      />
      {(status === 'playing' || status === 'paused') && (
        <p className={styles.badge} data-behind={behind ?? ''}>
          {!isDemo && <i className={styles.live} />}
          <span>
            {isDemo ? t('streamDemo') : behind === null ? t('streamLive') : t('streamBehind', { seconds: behind })}
          </span>
        </p>
      )}
      <div className={styles.middle} aria-live="polite">
        {status === 'loading' && (
          <>
            <Spinner />
            <span className="vh">{t('loading')}</span>
          </>
        )}
        {status === 'failed' && (
          <div className={styles.failed}>
            <p>{t('streamFailed')}</p>
            <Button onClick={toggle}>{t('tryAgain')}</Button>
          </div>
        )}
        {(status === 'idle' || status === 'paused') && (
          <button type="button" className={styles.play} aria-label={t('streamPlay')} onClick={toggle}>
            <Icon name="play" size="l" />
          </button>
        )}
      </div>
      {(status === 'playing' || status === 'loading' || status === 'paused') && (
        <div className={styles.controls}>
          {status !== 'paused' && (
            <IconButton
              className={styles.control}
              label={t('streamPause')}
              icon="pause"
              onClick={() => video.current?.pause()}
            />
          )}
          <IconButton
            className={styles.control}
            label={t(isMuted ? 'streamUnmute' : 'streamMute')}
            icon={isMuted ? 'mute' : 'sound'}
            onClick={() => setMuted(!isMuted)}
          />
          <span className={styles.gap} />
          {document.pictureInPictureEnabled && (
            <IconButton
              className={styles.control}
              label={t('streamPicture')}
              icon="picture"
              onClick={() => void togglePicture(video.current)}
            />
          )}
          {document.fullscreenEnabled && (
            <IconButton
              className={styles.control}
              label={t('streamWhole')}
              icon="whole"
              onClick={() => void video.current?.requestFullscreen().catch(ignoreRefusal)}
            />
          )}
        </div>
      )}
    </div>
  )
}

/** Runs the player while the stream is wanted. */
function usePlayer(
  video: React.RefObject<HTMLVideoElement | null>,
  url: URL,
  isWanted: boolean,
  told: { readonly onFailed: () => void; readonly onRefused: () => void },
): React.RefObject<Player | null> {
  const player = useRef<Player | null>(null)
  const latest = useRef(told)
  latest.current = told
  useEffect(() => {
    const element = video.current
    if (!(element && isWanted)) {
      return
    }
    let isOver = false
    const tell = (what: keyof typeof told) => () => {
      if (!isOver) {
        latest.current[what]()
      }
    }
    const fail = tell('onFailed')
    startPlayer(element, url, { onFailed: fail }).then((started) => {
      if (isOver) {
        started.stop()
        return
      }
      player.current = started
      element.play().catch(tell('onRefused'))
    }, fail)
    return () => {
      isOver = true
      player.current?.stop()
      player.current = null
    }
  }, [video, url, isWanted])
  return player
}

/** The delay of the stream in whole seconds, updated once a second; null if unknown. */
function useBehind(player: React.RefObject<Player | null>, isPlaying: boolean): number | null {
  const offset = useAppSelector(selectServerOffset)
  const [behind, setBehind] = useState<number | null>(null)
  useEffect(() => {
    if (!isPlaying) {
      return
    }
    const look = () => setBehind(player.current && secondsBehind(player.current.position(), Date.now() + offset))
    look()
    const timer = setInterval(look, LOOK_EVERY_MS)
    return () => clearInterval(timer)
  }, [player, isPlaying, offset])
  return behind
}

async function togglePicture(video: HTMLVideoElement | null): Promise<void> {
  try {
    if (document.pictureInPictureElement) {
      await document.exitPictureInPicture()
    } else {
      await video?.requestPictureInPicture()
    }
  } catch {
    ignoreRefusal()
  }
}

function ignoreRefusal(): void {
  // The browser does not allow it; nothing changes.
}
