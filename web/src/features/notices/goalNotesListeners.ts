/**
 * Shows a system notification for a favourite's goal while the page is hidden, if the user has switched them on and the
 * browser allows them. Only soccer has goal messages (docs/protocol.md).
 */
import type { i18n as I18n } from 'i18next'
import type { AppStartListening } from '../../app/store'
import type { MatchId } from '../../domain/offer'
import { selectFavourites } from '../favourites/favouritesSelectors'
import { matchName } from '../offer/matchName'
import { selectMatch } from '../offer/offerSelectors'
import { framesApplied } from '../offer/offerSlice'
import { selectHasGoalNotes } from '../preferences/preferencesSelectors'
import { hrefOf } from '../view/viewUrl'

/** The part of the browser that is used; tests replace it. */
export interface NoteWorld {
  readonly isAllowed: () => boolean
  /** Shows a notification. A later one with the same `tag` replaces it. */
  readonly show: (title: string, note: { body: string; tag: string; href: string }) => void
}

export function startGoalNotes(startListening: AppStartListening, i18n: I18n, world: NoteWorld): () => void {
  return startListening({
    actionCreator: framesApplied,
    effect: ({ payload }, api) => {
      const state = api.getState()
      const goals = payload.unseenGoals ?? []
      if (goals.length === 0 || !selectHasGoalNotes(state) || !world.isAllowed()) {
        return
      }
      const favourites = selectFavourites(state)
      const scored = new Set<MatchId>(goals.map(({ matchId }) => matchId).filter((id) => favourites.has(id)))
      for (const id of scored) {
        const match = selectMatch(state, id)
        if (match) {
          world.show(i18n.t('goalNoteTitle', { score: match.score?.join(':') ?? '' }), {
            body: matchName(match),
            tag: `goal-${id}`,
            href: hrefOf({ matchId: id, page: 'list' }),
          })
        }
      }
    },
  })
}

/** Whether the browser supports notifications. */
export function canNote(): boolean {
  return 'Notification' in window
}

/** The browser's implementation. It uses the service worker, because phones allow nothing else. */
export const BROWSER_NOTES: NoteWorld = {
  isAllowed: () => canNote() && Notification.permission === 'granted',
  show: (title, { body, tag, href }) => {
    const options = { body, tag, icon: '/icon-192.png', data: { href } }
    void navigator.serviceWorker?.getRegistration().then((registration) => {
      if (registration?.active) {
        return registration.showNotification(title, options)
      }
      new Notification(title, options).onclick = () => window.focus()
      return undefined
    })
  },
}
