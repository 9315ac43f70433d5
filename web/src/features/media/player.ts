/**
 * Plays a live HLS stream in a video element: natively if the browser supports it and reports the delay, otherwise with
 * hls.js, which is loaded only then. Must not import React.
 */
import type { Position } from './behind'

export interface Player {
  /** The playback position; its fields are null if unknown. */
  position(): Position
  stop(): void
}

export interface PlayerEvents {
  /** Playback failed and cannot continue. */
  readonly onFailed: () => void
}

export type StartPlayer = (video: HTMLVideoElement, url: URL, events: PlayerEvents) => Promise<Player>

const MIME = 'application/vnd.apple.mpegurl'
/** How often a media error is recovered before the player gives up. */
const RECOVERIES_MAX = 2

export const startPlayer: StartPlayer = (video, url, events) =>
  playsNatively(video) ? Promise.resolve(startNative(video, url, events)) : startHls(video, url, events)

/** Some browsers play HLS but do not report its dates. These use hls.js, if they support it. */
export function playsNatively(video: HTMLVideoElement): boolean {
  const tellsDates = 'getStartDate' in video
  return video.canPlayType(MIME) !== '' && (tellsDates || !('MediaSource' in window || 'ManagedMediaSource' in window))
}

function startNative(video: HTMLVideoElement, url: URL, { onFailed }: PlayerEvents): Player {
  video.addEventListener('error', onFailed)
  video.src = url.href
  return {
    position: () => ({ takenMs: startDateMs(video), toEdge: toEdge(video) }),
    stop: () => {
      video.removeEventListener('error', onFailed)
      video.removeAttribute('src')
      video.load()
    },
  }
}

/** The date of the current picture, from `getStartDate`, which only some browsers have; otherwise null. */
function startDateMs(video: HTMLVideoElement): number | null {
  const start = (video as { getStartDate?: () => Date }).getStartDate?.().getTime() ?? Number.NaN
  return Number.isFinite(start) && start > 0 ? start + video.currentTime * 1000 : null
}

function toEdge({ seekable, currentTime }: HTMLVideoElement): number | null {
  return seekable.length > 0 ? seekable.end(seekable.length - 1) - currentTime : null
}

async function startHls(video: HTMLVideoElement, url: URL, { onFailed }: PlayerEvents): Promise<Player> {
  const { default: Hls } = await import('hls.js/light')
  if (!Hls.isSupported()) {
    throw new Error('this browser has no way to play the stream')
  }
  // The content security policy forbids the blob that the worker needs. These streams work without one.
  const hls = new Hls({ enableWorker: false, liveDurationInfinity: true, backBufferLength: 30 })
  let recoveries = 0
  hls.on(Hls.Events.ERROR, (_, { fatal, type }) => {
    if (!fatal) {
      return
    }
    if (type === Hls.ErrorTypes.MEDIA_ERROR && recoveries < RECOVERIES_MAX) {
      recoveries += 1
      hls.recoverMediaError()
    } else {
      onFailed()
    }
  })
  hls.loadSource(url.href)
  hls.attachMedia(video)
  return {
    position: () => ({
      takenMs: hls.playingDate?.getTime() ?? null,
      toEdge: hls.latency > 0 ? hls.latency : toEdge(video),
    }),
    stop: () => hls.destroy(),
  }
}
