import {
  combineReducers,
  configureStore,
  createListenerMiddleware,
  type Reducer,
  type TypedStartListening,
} from '@reduxjs/toolkit'
import { accountSlice } from '../features/account/accountSlice'
import { type BetsState, NO_BETS } from '../features/bets/betsState'
import { connectionSlice } from '../features/connection/connectionSlice'
import { favouritesSlice } from '../features/favourites/favouritesSlice'
import { announcementsSlice } from '../features/notices/announcementsSlice'
import { noticesSlice } from '../features/notices/noticesSlice'
import { goalsSlice } from '../features/offer/goalsSlice'
import { movementsReducer } from '../features/offer/movementsSlice'
import { offerReducer } from '../features/offer/offerSlice'
import { preferencesSlice } from '../features/preferences/preferencesSlice'
import { textsSlice } from '../features/preferences/textsSlice'
import { placementSlice } from '../features/ticket/placementSlice'
import { rulesSlice } from '../features/ticket/rulesSlice'
import { ticketSlice } from '../features/ticket/ticketSlice'
import { viewSlice } from '../features/view/viewSlice'

const reducers = {
  connection: connectionSlice.reducer,
  offer: offerReducer,
  movements: movementsReducer,
  goals: goalsSlice.reducer,
  preferences: preferencesSlice.reducer,
  texts: textsSlice.reducer,
  view: viewSlice.reducer,
  notices: noticesSlice.reducer,
  announcements: announcementsSlice.reducer,
  ticket: ticketSlice.reducer,
  placement: placementSlice.reducer,
  rules: rulesSlice.reducer,
  favourites: favouritesSlice.reducer,
  account: accountSlice.reducer,
  // The reducer is added later.
  bets: ((state = NO_BETS) => state) as Reducer<BetsState>,
}

const reducer = combineReducers(reducers)

export type RootState = ReturnType<typeof reducer>

export function makeStore(preloadedState: Partial<RootState> = {}) {
  const listeners = createListenerMiddleware()
  const store = configureStore({
    reducer,
    preloadedState,
    middleware: (getDefault) =>
      // These checks walk the whole offer after each frame; development would be much slower than production.
      getDefault({ immutableCheck: false, serializableCheck: false }).prepend(listeners.middleware),
  })
  return Object.assign(store, {
    listeners,
    /** Replaces reducers by those that load after the first paint. */
    addReducers: (later: Partial<typeof reducers>) => store.replaceReducer(combineReducers({ ...reducers, ...later })),
  })
}

export type AppStore = ReturnType<typeof makeStore>
export type AppDispatch = AppStore['dispatch']
export type AppStartListening = TypedStartListening<RootState, AppDispatch>
