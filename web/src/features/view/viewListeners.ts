/** The view and the URL say the same: what is opened becomes a step of the history, and going back opens what was. */
import type { AppStartListening, AppStore } from '../../app/store'
import { sportFilterSet } from '../preferences/preferencesSlice'
import { matchClosed, matchOpened, pageOpened, urlVisited } from './viewSlice'
import { hrefOf, readSports, readUrl } from './viewUrl'

/** What of the browser is used. */
export interface Browsing {
  readonly search: () => string
  readonly push: (href: string) => void
  readonly replace: (href: string) => void
  /** Calls back when the bettor went back or forward; returns how to stop. */
  readonly onMoved: (callback: () => void) => () => void
}

export function startViewUrl(store: AppStore, startListening: AppStartListening, browsing: Browsing): () => void {
  const visit = () => {
    const sports = readSports(browsing.search())
    if (sports) {
      // As if they had been chosen here: from then on the address says nothing of them.
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
        // What the bettor did can be gone back to; what happened to the match, or a login that is done with, cannot.
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
  // A page opened from the ticket's sheet takes its step (`sheetHistory.ts`).
  push: (href) => history[history.state ? 'replaceState' : 'pushState'](null, '', href),
  replace: (href) => history.replaceState(null, '', href),
  onMoved: (callback) => {
    window.addEventListener('popstate', callback)
    return () => window.removeEventListener('popstate', callback)
  },
}
