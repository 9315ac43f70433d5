/** When the rest of the page may load: after the paint of the first list, or if that is late. */
import type { AppStore } from './store'

/** At most this long after the start, for example without a connection. */
const AT_MOST_MS = 2000

export function listReady(store: Pick<AppStore, 'getState' | 'subscribe'>): Promise<void> {
  return new Promise((resolve) => {
    const stop = store.subscribe(() => {
      if (store.getState().offer.status !== 'loading') {
        stop()
        requestAnimationFrame(() => setTimeout(resolve))
      }
    })
    setTimeout(() => {
      stop()
      resolve()
    }, AT_MOST_MS)
  })
}
