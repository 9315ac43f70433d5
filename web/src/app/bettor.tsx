/**
 * The ticket's side of the page, a chunk of its own: it is got as soon as the list has been painted. What it needs
 * beside the panel, the bet on its way and the rules, starts and ends with it.
 */
import { useEffect, useState } from 'react'
import { useStore } from 'react-redux'
import { fetchRules } from '../api/ticketApi'
import { useScreen } from '../components/useScreen'
import { NoticeToasts } from '../features/notices/NoticeToasts'
import { browserPlacing } from '../features/ticket/browserPlacing'
import { Placing } from '../features/ticket/placing'
import { NOBODY, type PlacingCalls } from '../features/ticket/placingContext'
import { startRules } from '../features/ticket/rulesListeners'
import { TicketOver, TicketPanel } from '../features/ticket/TicketPanel'
import { BottomBar } from './BottomBar'
import { startLater } from './later'
import type { AppDispatch, AppStore, RootState } from './store'
import { wait } from './wait'

/** Opened sooner or later. */
void import('../features/preferences/PreferencesPanel')
void import('../features/offer/RowMenu')

/** What lies over the page: the sheet and the dialogs, with the bet they are about. */
function BettorOver() {
  const store = useStore() as AppStore
  const isSheet = useScreen() === 'phone'
  const [placing, setPlacing] = useState<PlacingCalls>(NOBODY)
  useEffect(() => {
    const startListening = store.listeners.startListening.withTypes<RootState, AppDispatch>()
    const started = new Placing(store, startListening, browserPlacing(wait))
    const stopRules = startRules(store, startListening, fetchRules)
    setPlacing({ place: () => started.place(), read: () => started.read() })
    return () => {
      started.stop()
      stopRules()
    }
  }, [store])
  return <TicketOver isSheet={isSheet} placing={placing} toasts={<NoticeToasts />} />
}

/** All of it, in one piece. */
export const bettorParts = { BettorOver, BottomBar, TicketPanel, startLater }
