/** The reality check that the hub has sent, and the bettor's answer. */
import { createSlice, type PayloadAction } from '@reduxjs/toolkit'
import type { AppStartListening, AppStore } from '../../app/store'
import type { RealityCheck } from '../../domain/realityCheck'
import { memberSeen, selectUser, strangerSeen } from '../../platform/account/accountSlice'
import type { BettorCommand } from '../../protocol/commands'
import { readRealityCheck } from '../../protocol/readRealityCheck'
import { continued, NO_REALITY_CHECK, type RealityState } from './realityState'

export const realitySlice = createSlice({
  name: 'reality',
  initialState: NO_REALITY_CHECK,
  reducers: {
    /** The hub sent a check; null if it was answered, for example in another tab. */
    checkReceived: (
      _,
      { payload }: PayloadAction<{ check: RealityCheck | null; owner: string | null }>,
    ): RealityState => ({ ...payload, answer: 'none' }),
    answerAcknowledged: () => NO_REALITY_CHECK,
    answerFailed(state) {
      state.answer = 'failed'
    },
  },
  extraReducers: (builder) => {
    builder
      .addCase(continued, (state) => {
        state.answer = 'sending'
      })
      .addCase(strangerSeen, () => NO_REALITY_CHECK)
      .addCase(memberSeen, (state, { payload }) => {
        const owner = payload?.name ?? null
        // The hub may send the check of a new session before the user is known.
        return state.owner && owner && state.owner !== owner ? NO_REALITY_CHECK : { ...state, owner }
      })
  },
})

export const { checkReceived, answerAcknowledged, answerFailed } = realitySlice.actions

/** Adds the reducer to a store, which has no such part of the state before. */
export function addReality(store: AppStore): void {
  store.addReducers({ reality: realitySlice.reducer })
}

/** Decodes a message of the hub and dispatches it. A malformed one is ignored. */
export function dispatchReality({ dispatch, getState }: AppStore, raw: readonly unknown[]): void {
  const check = readRealityCheck(raw)
  if (check !== undefined) {
    dispatch(checkReceived({ check, owner: selectUser(getState())?.name ?? null }))
  }
}

/** Sends the bettor's answers to the hub. */
export function startReality(
  startListening: AppStartListening,
  say: (command: BettorCommand) => Promise<void>,
): () => void {
  return startListening({
    actionCreator: continued,
    effect: async (_, { dispatch }) => {
      try {
        await say({ verb: 'reality', answer: 'continue' })
        dispatch(answerAcknowledged())
      } catch {
        // Without an acknowledgement the server may still wait for the answer.
        dispatch(answerFailed())
      }
    },
  })
}
