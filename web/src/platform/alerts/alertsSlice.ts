/** The alerts that the bettor has set, for events of matches and for prices. The reducer loads after the first paint. */
import { createSlice, type PayloadAction } from '@reduxjs/toolkit'
import type { AppStore } from '../../app/store'
import type { MatchId, OddId } from '../../domain/offer'
import { lookup } from '../../domain/table'
import { framesApplied, offerLoaded } from '../offer/offerSlice'

export const ALERT_KINDS = ['kickOff', 'goal', 'redCard', 'period'] as const
export type AlertKind = (typeof ALERT_KINDS)[number]

/** Given once, when the price of the odd reaches the target. */
export interface PriceAlert {
  readonly matchId: MatchId
  readonly oddId: OddId
  /** In thousandths. */
  readonly target: number
  /** Whether the price was below the target when the alert was set. */
  readonly rises: boolean
}

export interface AlertsState {
  readonly matches: Readonly<Record<MatchId, readonly AlertKind[]>>
  readonly prices: readonly PriceAlert[]
}

export const NO_ALERTS: AlertsState = { matches: {}, prices: [] }

/** More matches than a bettor follows. */
export const ALERT_MATCHES_MAX = 50
/** All markets of these matches are watched. */
export const PRICE_ALERTS_MAX = 8

const alertsSlice = createSlice({
  name: 'alerts',
  initialState: NO_ALERTS,
  reducers: {
    alertsLoaded: (_, { payload }: PayloadAction<AlertsState>): AlertsState => payload,
    alertTurned: (
      state,
      { payload: { matchId, kind, isOn } }: PayloadAction<{ matchId: MatchId; kind: AlertKind; isOn: boolean }>,
    ): AlertsState => {
      const { [matchId]: kinds = [], ...others } = state.matches
      const left = [...kinds.filter((each) => each !== kind), ...(isOn ? [kind] : [])]
      const kept = Object.entries(others).slice(-ALERT_MATCHES_MAX + 1)
      return { ...state, matches: { ...Object.fromEntries(kept), ...(left.length > 0 && { [matchId]: left }) } }
    },
    priceAlertSet: (state, { payload }: PayloadAction<PriceAlert>): AlertsState => ({
      ...state,
      prices: [...withoutOdd(state.prices, payload.oddId), payload].slice(-PRICE_ALERTS_MAX),
    }),
    priceAlertDropped: (state, { payload }: PayloadAction<OddId>): AlertsState => ({
      ...state,
      prices: withoutOdd(state.prices, payload),
    }),
  },
  extraReducers: (builder) => {
    builder
      .addCase(framesApplied, (state, { payload }): AlertsState => {
        const deleted = new Set(payload.deletedMatches.map(({ id }) => id))
        return deleted.size === 0 ? state : ofMatches(state, (id) => !deleted.has(id))
      })
      .addCase(
        offerLoaded,
        (state, { payload }): AlertsState => ofMatches(state, (id) => lookup(payload.offer.matches, id) !== undefined),
      )
  },
})

export const { alertsLoaded, alertTurned, priceAlertSet, priceAlertDropped } = alertsSlice.actions

const withoutOdd = (prices: readonly PriceAlert[], oddId: OddId) => prices.filter((price) => price.oddId !== oddId)

/** The alerts of matches that are still offered. */
function ofMatches(state: AlertsState, isOffered: (id: MatchId) => boolean): AlertsState {
  const matches = Object.entries(state.matches).filter(([id]) => isOffered(Number(id)))
  const prices = state.prices.filter(({ matchId }) => isOffered(matchId))
  return matches.length === Object.keys(state.matches).length && prices.length === state.prices.length
    ? state
    : { matches: Object.fromEntries(matches), prices }
}

interface State {
  readonly alerts?: AlertsState
}

export const selectAlerts = ({ alerts }: State) => alerts ?? NO_ALERTS
const NO_KINDS: readonly AlertKind[] = []
export const selectAlertKinds = (state: State, id: MatchId) => selectAlerts(state).matches[id] ?? NO_KINDS
export const selectPriceAlert = (state: State, id: OddId) =>
  selectAlerts(state).prices.find(({ oddId }) => oddId === id)

/** Adds the reducer to a store. */
export function addAlerts(store: AppStore): void {
  store.addReducers({ alerts: alertsSlice.reducer })
}
