/**
 * Starts the listeners that are not needed before the first paint of the list. Commands that the bettor gives earlier
 * wait in the store.
 */
import { addBets, dispatchBets } from '../features/bets/betsSlice'
import { startResume } from '../features/placement/resume'
import { startRestore } from '../features/ticket/restore'
import { startSheetHistory } from '../features/ticket/sheetHistory'
import { startTicket } from '../features/ticket/ticketListeners'
import { startTicketVoice } from '../features/ticket/ticketVoice'
import { startFavourites } from '../platform/favourites/favouritesListeners'
import { startAnnouncements } from '../platform/notices/announcementsListeners'
import type { StartedOffer } from '../platform/offer/offerListeners'
import type { AppStartListening, AppStore } from './store'

export function startLater(
  store: AppStore,
  startListening: AppStartListening,
  { say, listenBets }: Pick<StartedOffer, 'say' | 'listenBets'>,
): () => void {
  addBets(store)
  listenBets((raw) => dispatchBets(store, raw))
  const stops = [
    startTicket(store, startListening, say),
    startRestore(startListening),
    startResume(startListening),
    startSheetHistory(startListening),
    startFavourites(store, startListening, say),
    startAnnouncements(store, startListening),
    startTicketVoice(startListening),
  ]
  return () => {
    for (const stop of stops) {
      stop()
    }
  }
}
