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
import { startEnded } from '../features/ended/endedListeners'
import { addPlacement } from '../features/placement/placementSlice'
import { startResume } from '../features/placement/resume'
import { startKeptTicket } from '../features/ticket/keptTicketListeners'
import { startRestore } from '../features/ticket/restore'
import { startSheetHistory } from '../features/ticket/sheetHistory'
import { startSingles } from '../features/ticket/singlesListeners'
import { startTicket } from '../features/ticket/ticketListeners'
import { startTicketVoice } from '../features/ticket/ticketVoice'
import type { FetchUser } from '../platform/account/accountListeners'
import { browserTabs, startOtherTabs } from '../platform/account/otherTabs'
import { dispatchProtection, startProtection } from '../platform/account/protectionListeners'
import { startFavourites } from '../platform/favourites/favouritesListeners'
import { startAnnouncements } from '../platform/notices/announcementsListeners'
import { startNoticeTimers } from '../platform/notices/noticeTimers'
import { startGoals } from '../platform/offer/goalsListeners'
import type { StartedOffer } from '../platform/offer/liveOffer'
import { browserStorage, tabStorage } from '../platform/preferences/preferencesStorage'
import { ACCOUNT_CHANGED, SESSION_END } from '../protocol/readProtection'
import { REALITY_CHECK } from '../protocol/readRealityCheck'
import type { AppStartListening, AppStore } from './store'
import { wait } from './wait'

export function startLater(
  store: AppStore,
  startListening: AppStartListening,
  { say, listenBets, fetchUser }: Pick<StartedOffer, 'say' | 'listenBets'> & { readonly fetchUser: FetchUser },
): () => void {
  addBets(store)
  addCashOut(store)
  addPlacement(store)
  addReality(store)
  // Before the messages, which may already wait.
  const stopProtection = startProtection(store, startListening, { fetchUser, now: Date.now })
  listenBets((raw) => {
    switch (raw[0]) {
      case REALITY_CHECK:
        dispatchReality(store, raw)
        break
      case SESSION_END:
      case ACCOUNT_CHANGED:
        dispatchProtection(store, raw, Date.now())
        break
      default:
        dispatchBets(store, raw)
    }
  })
  const stops = [
    stopProtection,
    startOtherTabs(store, startListening, browserTabs()),
    startTicket(store, startListening, say),
    startRestore(startListening),
    startKeptTicket(store, startListening, tabStorage()),
    startSingles(store, startListening, browserStorage()),
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
    startGoals(store, startListening),
    startEnded(store, startListening, browserStorage(), Date.now),
    startNoticeTimers(store, startListening),
    startTicketVoice(startListening),
  ]
  return () => {
    for (const stop of stops) {
      stop()
    }
  }
}
