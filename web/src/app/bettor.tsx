/**
 * The ticket part of the page, in a separate chunk that is loaded after the first paint of the list. Placing and the
 * betting rules start and stop with it.
 */
import { useEffect } from 'react'
import { useStore } from 'react-redux'
import { fetchRules } from '../api/ticketApi'
import { useScreen } from '../components/useScreen'
import { NoticeToasts } from '../features/notices/NoticeToasts'
import { browserPlacing } from '../features/placement/browserPlacing'
import { startPlacing } from '../features/placement/placingListeners'
import { startRules } from '../features/ticket/rulesListeners'
import { prepareFormats } from '../features/ticket/ticketFormats'
import { selectCurrency } from '../platform/account/accountSlice'
import { selectLanguage } from '../platform/preferences/preferencesSelectors'
import { BottomBar } from './BottomBar'
import { useAppSelector } from './hooks'
import { startLater } from './later'
import type { AppDispatch, AppStore, RootState } from './store'
import { TicketColumn, TicketLayer } from './TicketViews'

/** Preloaded, as most bettors open it at some time. */
void import('../features/preferences/PreferencesPanel')
void import('../features/offer/RowMenu')
void import('../features/offer/LineChips')

/** The ticket sheet and the placement dialogs, which lie over the page. */
function BettorOver() {
  const store = useStore() as AppStore
  const isSheet = useScreen() === 'phone'
  useEffect(() => {
    const startListening = store.listeners.startListening.withTypes<RootState, AppDispatch>()
    const stopPlacing = startPlacing(store, startListening, browserPlacing())
    const stopRules = startRules(store, startListening, fetchRules)
    return () => {
      stopPlacing()
      stopRules()
    }
  }, [store])
  const language = useAppSelector(selectLanguage)
  const currency = useAppSelector(selectCurrency)
  useEffect(() => {
    // Safari has no idle callbacks.
    const timer = window.requestIdleCallback?.(() => prepareFormats(language, currency))
    return () => {
      if (timer !== undefined) {
        window.cancelIdleCallback(timer)
      }
    }
  }, [language, currency])
  return <TicketLayer isSheet={isSheet} toasts={<NoticeToasts />} />
}

/** The exports of this chunk, in one object. */
export const bettorParts = { BettorOver, BottomBar, TicketColumn, startLater }
