/**
 * Stands in for the live offer while its chunk loads, which is not part of the first load. The socket opens at once. Must
 * not import the live offer itself.
 */
import type { AppStore } from '../../app/store'
import type { EarlySocket } from '../../protocol/earlySocket'
import { connectionLost } from '../connection/connectionSlice'
import type { StartedOffer } from './liveOffer'

export interface LateWorld {
  /** The address of the hub for the current language. */
  readonly url: () => string
  readonly open: (url: string) => EarlySocket
  /** Loads the live offer. Rejects if that has failed several times. */
  readonly load: () => Promise<(early: EarlySocket) => StartedOffer>
}

export function startLateOffer({ dispatch }: Pick<AppStore, 'dispatch'>, { url, open, load }: LateWorld): StartedOffer {
  const early = open(url())
  let started: StartedOffer | null = null
  let isStopped = false
  const loading = loadUntilStarted()

  async function loadUntilStarted(): Promise<StartedOffer> {
    for (;;) {
      const start = await load().catch(() => null)
      if (isStopped) {
        // Commands that wait are never settled.
        return new Promise(() => undefined)
      }
      if (start) {
        started = start(early)
        if (url() !== early.url) {
          started.reconnect()
        }
        early.deliver()
        return started
      }
      dispatch(connectionLost())
    }
  }

  return {
    say: (command) => (started ? started.say(command) : loading.then((live) => live.say(command))),
    // Before the start there is no connection to replace.
    reconnect: () => started?.reconnect(),
    listenBets: (listener) => void loading.then((live) => live.listenBets(listener)),
    stop: () => {
      isStopped = true
      if (started) {
        started.stop()
      } else {
        early.close()
      }
    },
  }
}
