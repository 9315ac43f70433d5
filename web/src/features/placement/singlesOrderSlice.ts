/** Placing singles, as the bettor sees it: one confirmation, several bets, one receipt. */
import { createAction, createSlice, type PayloadAction } from '@reduxjs/toolkit'
import type { AppStore } from '../../app/store'
import type { Outcome } from './placementState'
import { NO_SINGLES_ORDER, type SingleItem, type SinglesOrderState } from './singlesOrderState'

interface Shown {
  readonly items: readonly SingleItem[]
  readonly isOnePress: boolean
}

const singlesOrderSlice = createSlice({
  name: 'singlesOrder',
  initialState: NO_SINGLES_ORDER,
  reducers: {
    singlesAsked: (state, { payload }: PayloadAction<number>): SinglesOrderState =>
      state.stage === 'sending' ? state : { stage: 'confirming', sinceMs: payload },
    singlesDeclined: (state): SinglesOrderState => (state.stage === 'confirming' ? NO_SINGLES_ORDER : state),
    singlesSent: (
      _,
      { payload }: PayloadAction<Shown & { sentMs: number; delaySeconds: number; isHidden?: boolean }>,
    ): SinglesOrderState => ({ stage: 'sending', isUnsure: false, login: false, isHidden: false, ...payload }),
    singleAnswered: (state, { payload }: PayloadAction<{ key: string; outcome: Outcome }>): SinglesOrderState =>
      state.stage === 'sending'
        ? {
            ...state,
            items: state.items.map((item) => (item.key === payload.key ? { ...item, outcome: payload.outcome } : item)),
          }
        : state,
    singlesUnsure: (state, { payload: { login } }: PayloadAction<{ login: boolean }>): SinglesOrderState =>
      state.stage === 'sending' ? { ...state, isUnsure: true, login } : state,
    singlesHidden: (state): SinglesOrderState => (state.stage === 'sending' ? { ...state, isHidden: true } : state),
    singlesKnown: (_, { payload: { items, isOnePress } }: PayloadAction<Shown>): SinglesOrderState => ({
      stage: 'known',
      items,
      isOnePress,
    }),
    singlesRead: (state): SinglesOrderState => (state.stage === 'known' ? NO_SINGLES_ORDER : state),
    /** Nothing was sent, or another tab knows the outcome. */
    singlesAbandoned: () => NO_SINGLES_ORDER,
  },
})

export const {
  singlesAsked,
  singlesDeclined,
  singlesSent,
  singleAnswered,
  singlesUnsure,
  singlesHidden,
  singlesKnown,
  singlesRead,
  singlesAbandoned,
} = singlesOrderSlice.actions

/** The bettor confirmed the singles. */
export const singlesConfirmed = createAction('singlesOrder/singlesConfirmed')

/** The storage has singles: from before a reload, or from another tab. */
export const singlesFound = createAction('singlesOrder/singlesFound')

interface State {
  readonly singlesOrder?: SinglesOrderState
}

export const selectSinglesOrder = (state: State) => state.singlesOrder ?? NO_SINGLES_ORDER

export const selectHasSinglesDialog = (state: State) => {
  const order = selectSinglesOrder(state)
  return (
    order.stage === 'confirming' ||
    (order.stage === 'known' && !order.isOnePress) ||
    (order.stage === 'sending' && !order.isHidden && !order.isOnePress)
  )
}

/** Whether the bettor is to know that the outcome of sent bets is missing. */
export function isDoubtful({ isUnsure, isHidden, isOnePress }: Extract<SinglesOrderState, { stage: 'sending' }>) {
  return isUnsure || (isHidden && !isOnePress)
}

/** Adds the reducer to a store. */
export function addSinglesOrder(store: AppStore): void {
  store.addReducers({ singlesOrder: singlesOrderSlice.reducer })
}
