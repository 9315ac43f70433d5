/**
 * Optional features, in a separate chunk that nothing waits for: search, keyboard shortcuts, odds history, links, the
 * strip of favourites, the banners, the offline shell, and the footer. Dialogs are loaded only when they are opened.
 */
import { useEffect } from 'react'
import { useStore } from 'react-redux'
import { fetchBet } from '../api/accountApi'
import { afterPaint, answerFirst } from '../components/answerFirst'
import { IconButton } from '../components/IconButton'
import { later } from '../components/later'
import { isCovered, isOfList, isPlainKey } from '../components/pageKeys'
import { startAlerts } from '../features/alerts/alertsListeners'
import { startBets } from '../features/bets/betsListeners'
import { FeedStatus } from '../features/connection/FeedStatus'
import { HistoryLayer } from '../features/history/HistoryLayer'
import { TicketLinkLayer } from '../features/links/TicketLinkLayer'
import { Announcer } from '../features/notices/Announcer'
import { startGoalNotes } from '../features/notices/goalNotesListeners'
import { selectHasPlacementDialog } from '../features/placement/hasDialog'
import { ShellLayer } from '../features/shell/ShellLayer'
import { FavouriteStrip } from '../features/strip/FavouriteStrip'
import { useTranslation } from '../i18n/useTranslation'
import { selectUser } from '../platform/account/accountSlice'
import { selectSessionEnd } from '../platform/account/protectionSlice'
import { startClock } from '../platform/clock/clockListeners'
import { BROWSER_NOTES } from '../platform/notices/systemNotes'
import { selectHasShortcuts, selectHasStrip } from '../platform/preferences/preferencesSelectors'
import { stripTurned } from '../platform/preferences/preferencesSlice'
import { browserStorage } from '../platform/preferences/preferencesStorage'
import { selectPanel } from '../platform/view/viewSelectors'
import { panelTurned } from '../platform/view/viewSlice'
import { AppFooter } from './AppFooter'
import { Banners } from './Banners'
import { startFocusKeeping } from './focusListeners'
import { useAppDispatch, useAppSelector } from './hooks'
import type { AppDispatch, AppStore, RootState } from './store'

const SearchDialog = later(async () => (await import('../features/search/SearchDialog')).SearchDialog)
const PrintLayer = later(async () => (await import('../features/bets/PrintLayer')).PrintLayer)
const KeyMap = later(async () => (await import('../features/shortcuts/KeyMap')).KeyMap)
const CashierDialog = later(async () => (await import('../features/account/CashierDialog')).CashierDialog)
const ProtectionDialog = later(async () => (await import('../features/account/ProtectionDialog')).ProtectionDialog)
const RealityCheckDialog = later(
  async () => (await import('../features/account/RealityCheckDialog')).RealityCheckDialog,
)
const SessionEndDialog = later(async () => (await import('../features/account/SessionEndDialog')).SessionEndDialog)
const SecurityDialog = later(async () => (await import('../features/account/SecurityDialog')).SecurityDialog)

/** Buttons of the header. They are left of the others, so that nothing moves when they appear. */
function HeaderTools() {
  const { t } = useTranslation()
  const dispatch = useAppDispatch()
  return (
    <>
      <FeedStatus />
      <IconButton
        label={t('search')}
        icon="search"
        aria-keyshortcuts="/ Control+K"
        onClick={(event) => answerFirst(event.currentTarget, () => dispatch(panelTurned('search')))}
      />
    </>
  )
}

/** Layers over the page, and components that render nothing. */
function ExtrasOver() {
  const { i18n } = useTranslation()
  const store = useStore() as AppStore
  const panel = useAppSelector(selectPanel)
  const isSignedIn = useAppSelector((state) => selectUser(state) !== null)
  const reality = useAppSelector((state) => state.reality)
  const sessionEnd = useAppSelector(selectSessionEnd)
  const isPrinting = useAppSelector((state) => state.bets.printing !== null)
  useEffect(() => {
    const stopKeys = startPageKeys(store)
    const startListening = store.listeners.startListening.withTypes<RootState, AppDispatch>()
    const stopNotes = startGoalNotes(startListening, i18n, BROWSER_NOTES)
    const stopAlerts = startAlerts(store, startListening, {
      i18n,
      notes: BROWSER_NOTES,
      isHidden: () => document.hidden,
      storage: browserStorage(),
    })
    const stopBets = startBets(store, startListening, {
      i18n,
      notes: BROWSER_NOTES,
      isHidden: () => document.hidden,
      fetchBet,
      hasDialog: selectHasPlacementDialog,
    })
    const stopFocus = startFocusKeeping(startListening)
    const stopClock = startClock(store, startListening, { now: Date.now, steady: () => performance.now() })
    return () => {
      stopKeys()
      stopNotes()
      stopAlerts()
      stopBets()
      stopFocus()
      stopClock()
    }
  }, [store, i18n])
  return (
    <>
      {panel === 'search' && <SearchDialog />}
      {panel === 'keys' && <KeyMap />}
      {panel === 'security' && isSignedIn && <SecurityDialog />}
      {panel === 'cashier' && isSignedIn && <CashierDialog />}
      {panel === 'protection' && isSignedIn && <ProtectionDialog />}
      {reality?.check && <RealityCheckDialog check={reality.check} answer={reality.answer} />}
      {sessionEnd && <SessionEndDialog end={sessionEnd} />}
      {isPrinting && <PrintLayer />}
      <HistoryLayer />
      <TicketLinkLayer />
      <ShellLayer />
    </>
  )
}

/** Shortcuts of the whole page. Single characters work only outside text fields and if they are not switched off. */
function startPageKeys(store: AppStore): () => void {
  const listener = (event: KeyboardEvent) => {
    const { dispatch, getState } = store
    const state = getState()
    if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
      if (!isCovered()) {
        event.preventDefault()
        afterPaint(() => dispatch(panelTurned('search')))
      }
      return
    }
    if (!selectHasShortcuts(state) || !isPlainKey(event) || !isOfList(event.target)) {
      return
    }
    // Some keyboard layouts need Shift for these characters.
    if (event.key === '/' || event.key === '?') {
      event.preventDefault()
      const panel = event.key === '/' ? 'search' : 'keys'
      afterPaint(() => dispatch(panelTurned(panel)))
    } else if (event.key.toLowerCase() === 'v' && !event.shiftKey) {
      event.preventDefault()
      dispatch(stripTurned(!selectHasStrip(state)))
    }
  }
  document.addEventListener('keydown', listener)
  return () => document.removeEventListener('keydown', listener)
}

/** The exports of this chunk, in one object. */
export const extraParts = { Announcer, AppFooter, Banners, HeaderTools, FavouriteStrip, ExtrasOver }
