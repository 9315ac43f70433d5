/**
 * Wishes that the page is left with, as by a reload, before the server has heard them: kept in the storage of the tab,
 * and wished again by the page that comes next. Saying a wish twice does what saying it once does.
 */
import type { AppStartListening, AppStore, RootState } from '../../app/store'
import type { TicketWish } from '../../domain/ticket/ticket'
import { ticketTold, wished } from './ticketSlice'

const KEY = 'cn-wishes'

/** A page that comes later, as from a session of the browser that was kept, finds another ticket. */
export const KEPT_MS = 30_000

interface Kept {
  readonly leftMs: number
  /** Of whose ticket they are. */
  readonly session: string
  readonly wishes: readonly TicketWish[]
}

/** What of a browser's tab is used. */
export interface Tab {
  readonly storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  /** Calls back when the page is left; returns how to stop. */
  readonly onLeft: (callback: () => void) => () => void
  readonly now: () => number
}

export const TAB: Tab = {
  storage: () => sessionStorage,
  onLeft: (callback) => {
    window.addEventListener('pagehide', callback)
    return () => window.removeEventListener('pagehide', callback)
  },
  now: () => Date.now(),
}

export function startWishesKept(store: AppStore, startListening: AppStartListening, tab: Tab = TAB): () => void {
  let kept = take(tab)
  const wishAgain = (state: RootState) => {
    const { wishes, session } = kept ?? NONE
    kept = null
    if (session === state.connection.session) {
      for (const wish of wishes) {
        store.dispatch(wished(wish))
      }
    }
  }
  // Whose ticket it is, is known with the ticket.
  if (store.getState().ticket.fresh) {
    wishAgain(store.getState())
  }
  const stops = [
    startListening({ actionCreator: ticketTold, effect: (_, api) => wishAgain(api.getState()) }),
    tab.onLeft(() => {
      const { ticket, connection } = store.getState()
      const wishes = ticket.wishes.map(({ wish }) => wish)
      if (wishes.length > 0 && connection.session !== null) {
        keep(tab, { leftMs: tab.now(), session: connection.session, wishes })
      }
    }),
  ]
  return () => {
    for (const stop of stops) {
      stop()
    }
  }
}

const NONE: Pick<Kept, 'wishes' | 'session'> = { wishes: [], session: '' }

/** Takes what was kept out of the storage. */
function take(tab: Tab): Kept | null {
  try {
    const text = tab.storage().getItem(KEY)
    tab.storage().removeItem(KEY)
    const kept = JSON.parse(text ?? 'null') as Kept | null
    return kept && tab.now() - kept.leftMs <= KEPT_MS ? kept : null
  } catch {
    // Storage forbidden, or of another version: what was wished is lost.
    return null
  }
}

function keep(tab: Tab, kept: Kept): void {
  try {
    tab.storage().setItem(KEY, JSON.stringify(kept))
  } catch {
    // Storage full or forbidden.
  }
}
