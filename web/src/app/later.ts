/**
 * Starts the listeners that are not needed before the first paint of the list. Commands that the bettor gives earlier
 * wait in the store.
 */
import { fetchCashOut, sendCashOut } from '../api/cashOutApi'
import { uuid } from '../components/uuid'
import { addReality, dispatchReality, startReality } from '../features/account/realitySlice'
import { addBets, dispatchBets } from '../features/bets/betsSlice'
import { startCashOut } from '../features/cashOut/cashOutListeners'
import { addCashOut } from '../features/cashOut/cashOutSlice'
import { addPlacement } from '../features/placement/placementSlice'
import { startResume } from '../features/placement/resume'
import { startKeptTicket } from '../features/ticket/keptTicketListeners'
import { startRestore } from '../features/ticket/restore'
import { startSheetHistory } from '../features/ticket/sheetHistory'
import { startTicket } from '../features/ticket/ticketListeners'
import { startTicketVoice } from '../features/ticket/ticketVoice'
import { startFavourites } from '../platform/favourites/favouritesListeners'
import { startAnnouncements } from '../platform/notices/announcementsListeners'
import { startNoticeTimers } from '../platform/notices/noticeTimers'
import type { StartedOffer } from '../platform/offer/liveOffer'
import { browserStorage } from '../platform/preferences/preferencesStorage'
import { REALITY_CHECK } from '../protocol/readRealityCheck'
import type { AppStartListening, AppStore } from './store'
import { wait } from './wait'

export function startLater(
  store: AppStore,
  startListening: AppStartListening,
  { say, listenBets }: Pick<StartedOffer, 'say' | 'listenBets'>,
): () => void {
  addBets(store)
  addCashOut(store)
  addPlacement(store)
  addReality(store)
  listenBets((raw) => (raw[0] === REALITY_CHECK ? dispatchReality : dispatchBets)(store, raw))
  const stops = [
    startTicket(store, startListening, say),
    startRestore(startListening),
    startKeptTicket(store, startListening),
    startCashOut(store, startListening, {
      fetchCashOut,
      sendCashOut,
      storage: browserStorage(),
      uuid,
      now: Date.now,
      random: Math.random,
      wait,
    }),
    startReality(startListening, say),
    startResume(startListening),
    startSheetHistory(startListening),
    startFavourites(store, startListening, say),
    startAnnouncements(store, startListening),
    startNoticeTimers(store, startListening),
    startTicketVoice(startListening),
  ]
  return () => {
    for (const stop of stops) {
      stop()
    }
  }
}
