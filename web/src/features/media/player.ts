/**
 * Plays a live HLS stream in a video element: by the browser itself where it can and says how far behind it is, else by
 * hls.js, which is fetched only then. Knows nothing of React.
 */
import type { Position } from './behind'

export interface Player {
  /** Where it is; nothing where the stream does not say. */
  position(): Position
  stop(): void
}

export interface PlayerEvents {
  /** It cannot go on by itself. */
  readonly onFailed: () => void
}

export type StartPlayer = (video: HTMLVideoElement, url: URL, events: PlayerEvents) => Promise<Player>

const MIME = 'application/vnd.apple.mpegurl'
/** So often a broken decoder is set up anew before it is given up. */
const RECOVERIES_MAX = 2

export const startPlayer: StartPlayer = (video, url, events) =>
  playsNatively(video) ? Promise.resolve(startNative(video, url, events)) : startHls(video, url, events)

/** Some browsers play the format without a word of the dates in it: those that have another way go that one. */
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

/** Some browsers tell when the stream's time 0 was. */
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
  // Its worker would be made of a blob, which the page's policy does not allow; these streams need none.
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
