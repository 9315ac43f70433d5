import {
  combineReducers,
  configureStore,
  createListenerMiddleware,
  type Reducer,
  type StateFromReducersMapObject,
  type TypedStartListening,
  type UnknownAction,
} from '@reduxjs/toolkit'
import type { RealityState } from '../features/account/realityState'
import { type BetsState, NO_BETS } from '../features/bets/betsState'
import { type CashOutState, NO_CASH_OUT } from '../features/cashOut/cashOutState'
import type { EndedState } from '../features/ended/endedSlice'
import type { OnePressState } from '../features/placement/onePressState'
import { NOT_PLACING, type PlacementState } from '../features/placement/placementState'
import type { SinglesOrderState } from '../features/placement/singlesOrderState'
import { accountSlice } from '../platform/account/accountSlice'
import type { ProtectionState } from '../platform/account/protectionState'
import type { AlertsState } from '../platform/alerts/alertsSlice'
import { periodEndsReducer } from '../platform/clock/periodEndsSlice'
import { connectionSlice } from '../platform/connection/connectionSlice'
import { favouritesSlice } from '../platform/favourites/favouritesSlice'
import { announcementsSlice } from '../platform/notices/announcementsSlice'
import { noticesSlice } from '../platform/notices/noticesSlice'
import { fetchesReducer } from '../platform/offer/fetchesSlice'
import { goalsSlice } from '../platform/offer/goalsSlice'
import { movementsReducer } from '../platform/offer/movementsSlice'
import { offerReducer } from '../platform/offer/offerSlice'
import { preferencesSlice } from '../platform/preferences/preferencesSlice'
import { textsSlice } from '../platform/preferences/textsSlice'
import type { KeptTicketState } from '../platform/ticket/keptTicketSlice'
import { rulesSlice } from '../platform/ticket/rulesSlice'
import type { SinglesState } from '../platform/ticket/singlesSlice'
import { ticketSlice } from '../platform/ticket/ticketSlice'
import { viewSlice } from '../platform/view/viewSlice'

const reducers = {
  connection: connectionSlice.reducer,
  offer: offerReducer,
  fetches: fetchesReducer,
  movements: movementsReducer,
  goals: goalsSlice.reducer,
  periodEnds: periodEndsReducer,
  preferences: preferencesSlice.reducer,
  texts: textsSlice.reducer,
  view: viewSlice.reducer,
  notices: noticesSlice.reducer,
  announcements: announcementsSlice.reducer,
  ticket: ticketSlice.reducer,
  rules: rulesSlice.reducer,
  favourites: favouritesSlice.reducer,
  account: accountSlice.reducer,
  // The reducers of these are added later.
  placement: ((state = NOT_PLACING) => state) as Reducer<PlacementState>,
  cashOut: ((state = NO_CASH_OUT) => state) as Reducer<CashOutState>,
  bets: ((state = NO_BETS) => state) as Reducer<BetsState>,
}

/** Reducers that load after the first paint. They replace those above, or add a part of the state. */
type LaterReducers = Partial<
  typeof reducers & {
    reality: Reducer<RealityState>
    alerts: Reducer<AlertsState>
    ended: Reducer<EndedState>
    keptTicket: Reducer<KeptTicketState>
    protection: Reducer<ProtectionState>
    singles: Reducer<SinglesState>
    singlesOrder: Reducer<SinglesOrderState>
    onePress: Reducer<OnePressState>
  }
>

export type RootState = StateFromReducersMapObject<typeof reducers> & {
  readonly reality?: RealityState
  readonly alerts?: AlertsState
  readonly ended?: EndedState
  readonly keptTicket?: KeptTicketState
  readonly protection?: ProtectionState
  readonly singles?: SinglesState
  readonly singlesOrder?: SinglesOrderState
  readonly onePress?: OnePressState
}

const reducer: Reducer<RootState, UnknownAction, Partial<RootState>> = combineReducers(reducers)

/** The parts of the state that are tables of the offer (`domain/table.ts`). */
const OFFER_TABLES = ['offer', 'movements']

export function makeStore(preloadedState: Partial<RootState> = {}) {
  const listeners = createListenerMiddleware()
  let added: LaterReducers = {}
  const store = configureStore({
    reducer,
    preloadedState,
    middleware: (getDefault) =>
      getDefault({
        // The checks of the development build walk the state and each action. The offer's tables are too large for it.
        immutableCheck: { ignoredPaths: OFFER_TABLES },
        serializableCheck: { ignoredPaths: OFFER_TABLES, ignoredActionPaths: ['payload.offer'] },
      }).prepend(listeners.middleware),
  })
  return Object.assign(store, {
    listeners,
    addReducers: (later: LaterReducers) => {
      added = { ...added, ...later }
      store.replaceReducer(combineReducers({ ...reducers, ...(added as Partial<typeof reducers>) }))
    },
  })
}

export type AppStore = ReturnType<typeof makeStore>
export type AppDispatch = AppStore['dispatch']
export type AppStartListening = TypedStartListening<RootState, AppDispatch>
