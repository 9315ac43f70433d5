/** Keeps view and URL equal: opening a view adds a history entry, and the back button restores the previous view. */
import type { AppStartListening, AppStore } from '../../app/store'
import { sportFilterSet } from '../preferences/preferencesSlice'
import { matchClosed, matchOpened, pageOpened, urlVisited } from './viewSlice'
import { hrefOf, readSports, readUrl } from './viewUrl'

/** The part of the browser that is used; tests replace it. */
export interface Browsing {
  readonly search: () => string
  readonly push: (href: string) => void
  readonly replace: (href: string) => void
  /** Calls back when the user went back or forward. Returns a function that stops it. */
  readonly onMoved: (callback: () => void) => () => void
}

export function startViewUrl(store: AppStore, startListening: AppStartListening, browsing: Browsing): () => void {
  const visit = () => {
    const sports = readSports(browsing.search())
    if (sports) {
      // The sports of a link are treated like a choice of the user and removed from the address.
      store.dispatch(sportFilterSet(sports))
      browsing.replace(hrefOf(readUrl(browsing.search())))
    }
    store.dispatch(urlVisited(readUrl(browsing.search())))
  }
  const stops = [
    browsing.onMoved(visit),
    startListening({
      predicate: (_, now, before) =>
        now.view.openMatchId !== before.view.openMatchId || now.view.page !== before.view.page,
      effect: (action, api) => {
        const { openMatchId, page } = api.getState().view
        const href = hrefOf({ matchId: openMatchId, page })
        if (hrefOf(readUrl(browsing.search())) === href) {
          return
        }
        // Only the user's own steps become history entries, not the end of a match or of a login. A page that requires
        // a login is replaced by it: going back to that page would only open the login again.
        const chosen = matchOpened.match(action) || matchClosed.match(action) || pageOpened.match(action)
        browsing[chosen ? 'push' : 'replace'](href)
      },
    }),
  ]
  visit()
  return () => {
    for (const stop of stops) {
      stop()
    }
  }
}

export const BROWSING: Browsing = {
  search: () => location.search,
  // A page opened from the ticket's sheet replaces the sheet's entry (`sheetHistory.ts`).
  push: (href) => history[history.state ? 'replaceState' : 'pushState'](null, '', href),
  replace: (href) => history.replaceState(null, '', href),
  onMoved: (callback) => {
    window.addEventListener('popstate', callback)
    return () => window.removeEventListener('popstate', callback)
  },
}
