/**
 * Starts the listeners of all features with the environment they need. Side effects and timers live in listeners only.
 */
import type { i18n as I18n } from 'i18next'
import { fetchTranslations, hubUrl } from '../api/startApi'
import { fetchUser } from '../api/userApi'
import { type FetchUser, startAccount } from '../platform/account/accountListeners'
import { PAGE } from '../platform/connection/gatherer'
import { startNotices } from '../platform/notices/noticesListeners'
import { type LiveWorld, startLiveOffer } from '../platform/offer/liveOffer'
import { startMovements } from '../platform/offer/movementsListeners'
import { startPreferences } from '../platform/preferences/preferencesListeners'
import { browserStorage } from '../platform/preferences/preferencesStorage'
import { startTexts, type TextsWorld } from '../platform/preferences/textsListeners'
import { startHidden } from '../platform/view/hiddenStorage'
import { BROWSING, type Browsing, startViewUrl } from '../platform/view/viewListeners'
import { BROWSER } from '../protocol/browserHub'
import { LazyHub } from '../protocol/lazyHub'
import { bettorAfterPaint, hub } from './parts'
import type { AppDispatch, AppStore, RootState } from './store'
import { wait } from './wait'

export interface World {
  readonly storage: Pick<Storage, 'getItem' | 'setItem'>
  readonly browsing: Browsing
  readonly texts: TextsWorld
  readonly live: LiveWorld
  readonly fetchUser: FetchUser
  /** Loads the listeners that start after the first paint. */
  readonly later: () => Promise<Pick<typeof import('./later'), 'startLater'>>
}

/** The browser as the environment of the client. */
export function browserWorld(i18n: I18n): World {
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
    fetchUser,
    later: bettorAfterPaint,
    live: {
      random,
      connect: (url, events) => new LazyHub(url, events, BROWSER, hub),
      hubUrl,
      fetchOffer: async (...args) => (await hub()).fetchOffer(...args),
      fetchMatch: async (...args) => (await hub()).fetchMatch(...args),
      painting: PAGE,
      now: () => Date.now(),
    },
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
    startMovements(store, startListening),
    startNotices(store, startListening),
  ]
  const live = startLiveOffer(store, startListening, world.live)
  stops.push(startAccount(store, startListening, world.fetchUser, live.reconnect), live.stop)
  let isStopped = false
  void world.later().then(({ startLater }) => {
    if (!isStopped) {
      stops.push(startLater(store, startListening, { ...live, fetchUser: world.fetchUser }))
    }
  })
  return () => {
    isStopped = true
    for (const stop of stops) {
      stop()
    }
  }
}
