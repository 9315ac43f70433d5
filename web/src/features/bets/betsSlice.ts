/**
 * The bets that the hub has reported: all open ones, and those that were settled since the page was opened. Of several
 * reports about one bet, the one with the highest revision counts.
 */
import { createSlice, type PayloadAction } from '@reduxjs/toolkit'
import type { AppStore } from '../../app/store'
import type { Bet, BetCause, BetProgress } from '../../domain/bet'
import { memberSeen, moneyReceived, strangerSeen } from '../../platform/account/accountSlice'
import { cashOutValuesReceived } from '../../platform/connection/hubMessages'
import { betAsked, printAsked } from '../../platform/view/requests'
import { readBetsReport } from '../../protocol/readBets'
import { type BetsState, NO_BETS } from './betsState'

/** Keeps the bet unless an equal or newer revision is held. */
function hold(state: BetsState, bet: Bet) {
  const held = state.held[bet.ticketId]
  if (!held || held.revision < bet.revision) {
    state.held[bet.ticketId] = bet
  }
}

export const betsSlice = createSlice({
  name: 'bets',
  initialState: NO_BETS,
  reducers: {
    /** All open bets of the account. */
    betsReceived(state, { payload }: PayloadAction<readonly Bet[]>) {
      const open = new Set(payload.map(({ ticketId }) => ticketId))
      for (const { ticketId, state: was } of Object.values(state.held)) {
        if (was === 'open' && !open.has(ticketId)) {
          delete state.held[ticketId]
        }
      }
      for (const bet of payload) {
        hold(state, bet)
      }
      state.known = true
    },
    betPlaced: (state, { payload }: PayloadAction<Bet>) => hold(state, payload),
    /** A bet changed. A bet that is not held is fetched by a listener. */
    betChanged(state, { payload }: PayloadAction<{ cause: BetCause; progress: BetProgress }>) {
      const { results, ...progress } = payload.progress
      const held = state.held[progress.ticketId]
      if (held && held.revision < progress.revision) {
        Object.assign(held, progress)
        for (const [place, pair] of held.pairs.entries()) {
          Object.assign(pair, results[place])
        }
      }
    },
    /** A bet that changed while it was not held was fetched. */
    betFetched: (state, { payload }: PayloadAction<{ bet: Bet; cause: BetCause }>) => hold(state, payload.bet),
    printEnded(state) {
      state.printing = null
    },
  },
  extraReducers: (builder) => {
    builder
      .addCase(betAsked, (state, { payload }) => {
        state.asked = payload
      })
      .addCase(printAsked, (state, { payload }) => {
        state.printing = payload
      })
      .addCase(strangerSeen, () => NO_BETS)
      .addCase(memberSeen, (state, { payload }) => {
        const owner = payload?.name ?? null
        // The hub may report the bets of a new session before the user is known.
        return state.owner && owner && state.owner !== owner ? { ...NO_BETS, owner } : { ...state, owner }
      })
  },
})

export const { betsReceived, betPlaced, betChanged, betFetched, printEnded } = betsSlice.actions

/** Adds the reducer to a store. Before that its part of the state does not change. */
export function addBets(store: AppStore): void {
  store.addReducers({ bets: betsSlice.reducer })
}

/** Decodes a message of the hub and dispatches it. A malformed one is ignored. */
export function dispatchBets({ dispatch }: Pick<AppStore, 'dispatch'>, raw: readonly unknown[]): void {
  const report = readBetsReport(raw)
  switch (report?.kind) {
    case 'bets':
      dispatch(betsReceived(report.bets))
      break
    case 'betPlaced':
      dispatch(betPlaced(report.bet))
      break
    case 'betChanged':
      dispatch(betChanged({ cause: report.cause, progress: report.progress }))
      break
    case 'money':
      dispatch(moneyReceived(report.money))
      break
    case 'cashOutValues':
      dispatch(cashOutValuesReceived(report.values, Date.now()))
      break
  }
}
