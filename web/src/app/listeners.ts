/**
 * Starts the listeners of all features with the environment they need. Side effects and timers live in listeners only.
 */
import { fetchTranslations, hubUrl } from '../api/startApi'
import type { PageTexts } from '../i18n/pageTexts'
import { type FetchUser, startAccount } from '../platform/account/accountListeners'
import { startNotices } from '../platform/notices/noticesListeners'
import { startLateOffer } from '../platform/offer/lateOffer'
import type { StartedOffer } from '../platform/offer/liveOffer'
import { startPreferences } from '../platform/preferences/preferencesListeners'
import { browserStorage } from '../platform/preferences/preferencesStorage'
import { startTexts, type TextsWorld } from '../platform/preferences/textsListeners'
import { startHidden } from '../platform/view/hiddenStorage'
import { BROWSING, type Browsing, startViewUrl } from '../platform/view/viewListeners'
import { EarlySocket } from '../protocol/earlySocket'
import { bettorAfterPaint, live } from './parts'
import type { AppDispatch, AppStartListening, AppStore, RootState } from './store'
import { wait } from './wait'

export interface World {
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>
  readonly browsing: Browsing
  readonly texts: TextsWorld
  readonly startLive: (store: AppStore, startListening: AppStartListening) => StartedOffer
  readonly fetchUser: FetchUser
  /** Loads the listeners that start after the first paint. */
  readonly later: () => Promise<Pick<typeof import('./later'), 'startLater'>>
}

/** The browser as the environment of the client. */
export function browserWorld(i18n: PageTexts): World {
  const random = () => Math.random()
  return {
    storage: browserStorage(),
    browsing: BROWSING,
    texts: {
      random,
      wait,
      i18n,
      fetchTranslations,
      shellTexts: async (language) => (await import('../i18n/shellTexts')).shellTexts(language),
    },
    fetchUser: async (signal) => (await live()).fetchUser(signal),
    later: bettorAfterPaint,
    startLive: (store, startListening) =>
      startLateOffer(store, {
        url: () => hubUrl(store.getState().preferences.language),
        open: (url) => new EarlySocket(url, (address, subprotocol) => new WebSocket(address, subprotocol)),
        load: async () => {
          const { browserLive, startLive } = await live()
          return (early) => startLive(store, startListening, browserLive(early))
        },
      }),
  }
}

/** Starts all listeners. Returns a function that stops them. */
export function startListeners(store: AppStore, world: World): () => void {
  const startListening = store.listeners.startListening.withTypes<RootState, AppDispatch>()
  const stops = [
    startPreferences(store, startListening, world.storage),
    startHidden(startListening, world.storage),
    startTexts(store, startListening, world.texts),
    startViewUrl(store, startListening, world.browsing),
    startNotices(store, startListening),
  ]
  const offer = world.startLive(store, startListening)
  stops.push(startAccount(store, startListening, world.fetchUser, offer.reconnect), offer.stop)
  let isStopped = false
  void world.later().then(({ startLater }) => {
    if (!isStopped) {
      stops.push(startLater(store, startListening, { ...offer, fetchUser: world.fetchUser }))
    }
  })
  return () => {
    isStopped = true
    for (const stop of stops) {
      stop()
    }
  }
}
