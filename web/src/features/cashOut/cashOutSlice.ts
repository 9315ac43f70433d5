/** The values of open bets, and the cash-outs that the bettor has begun. Timers and calls are in `cashOutListeners.ts`. */
import { createSlice, type PayloadAction } from '@reduxjs/toolkit'
import type { AppStore } from '../../app/store'
import { DELIBERATE_MS } from '../../components/deliberatePress'
import type { Bet, CashOutRule } from '../../domain/bet'
import { FALL_PERCENT, leastNet, type SharePercent, type ToldCashOutValue } from '../../domain/cashOut'
import { centsOf } from '../../domain/ticket/stake'
import { memberSeen, strangerSeen } from '../../platform/account/accountSlice'
import { connectionLost } from '../../platform/connection/connectionSlice'
import { cashOutValuesReceived } from '../../platform/connection/hubMessages'
import { selectAcceptsFall } from '../../platform/preferences/preferencesSelectors'
import { type CashOutFlow, type CashOutState, type HeldValue, NO_CASH_OUT } from './cashOutState'

type Sending = Extract<CashOutFlow, { stage: 'sending' }>

interface WithCashOut {
  readonly cashOut: CashOutState
}

const heldOf = (
  { ticketId, ...value }: ToldCashOutValue,
  before: HeldValue | undefined,
  nowMs: number,
  isFirst: boolean,
): HeldValue => {
  const by = isFirst || !before?.net || !value.net ? 0 : Number(value.net) - Number(before.net)
  const wasAvailable = before !== undefined && before.net !== null
  return {
    ...value,
    movement: by > 0 ? 'up' : by < 0 ? 'down' : null,
    movedMs: nowMs,
    sinceMs: value.net !== null ? null : wasAvailable ? nowMs : (before?.sinceMs ?? null),
  }
}

/** A cash-out that waits for its confirmation follows the value. If the value falls too far, it asks again. */
function withValue(flow: CashOutFlow, net: string | null, nowMs: number): CashOutFlow | null {
  if (flow.stage !== 'confirming' || net === flow.net) {
    return flow
  }
  if (net === null) {
    return null
  }
  const { asked, tolerance } = flow
  if (centsOf(net) < centsOf(leastNet(asked, tolerance))) {
    return { ...flow, net, fellFrom: flow.net, asked: net, sinceMs: nowMs }
  }
  return centsOf(net) < centsOf(asked) ? { ...flow, net } : { ...flow, net, fellFrom: null, asked: net }
}

function without<Value>(table: Readonly<Record<string, Value>>, id: string): Record<string, Value> {
  const { [id]: _, ...rest } = table
  return rest
}

const withFlow = (state: CashOutState, ticketId: string, flow: CashOutFlow | null): CashOutState => ({
  ...state,
  flows: flow ? { ...state.flows, [ticketId]: flow } : without(state.flows, ticketId),
})

export const cashOutSlice = createSlice({
  name: 'cashOut',
  initialState: NO_CASH_OUT as CashOutState,
  reducers: {
    /** Arrows of changes until then disappear. */
    movementsEnded(state, { payload }: PayloadAction<number>): CashOutState {
      const ended = Object.entries(state.values).filter(([, value]) => value.movement && value.movedMs <= payload)
      const still = Object.fromEntries(ended.map(([id, value]) => [id, { ...value, movement: null }]))
      return { ...state, values: { ...state.values, ...still } }
    },
    /** The first press. */
    confirmationAsked(
      state,
      {
        payload,
      }: PayloadAction<{
        ticketId: string
        percent: SharePercent
        nowMs: number
        fellFrom?: string
        tolerance?: number
      }>,
    ): CashOutState {
      const { ticketId, percent, nowMs: sinceMs, fellFrom = null, tolerance = 0 } = payload
      const net = state.values[ticketId]?.net
      const flow = { stage: 'confirming', percent, fellFrom, tolerance, sinceMs } as const
      return withFlow(state, ticketId, net ? { ...flow, net, asked: net } : null)
    },
    /** The bettor did not confirm, or has read the outcome. */
    flowEnded: (state, { payload }: PayloadAction<string>) => withFlow(state, payload, null),
    /** The second press. A listener sends the cash-out. */
    cashOutConfirmed(
      state,
      { payload }: PayloadAction<{ ticketId: string; nowMs: number; delaySeconds: number }>,
    ): CashOutState {
      const { ticketId, nowMs, delaySeconds } = payload
      const flow = state.flows[ticketId]
      if (flow?.stage !== 'confirming' || nowMs - flow.sinceMs < DELIBERATE_MS) {
        return state
      }
      const { percent, net } = flow
      return withFlow(state, ticketId, {
        stage: 'sending',
        percent,
        net,
        sentMs: nowMs,
        delaySeconds,
        isUnsure: false,
      })
    },
    /** A cash-out without an outcome is asked about again. */
    cashOutResumed(state, { payload }: PayloadAction<Omit<Sending, 'stage' | 'isUnsure'> & { ticketId: string }>) {
      const { ticketId, percent, net, sentMs, delaySeconds } = payload
      return withFlow(state, ticketId, { stage: 'sending', percent, net, sentMs, delaySeconds, isUnsure: false })
    },
    answerMissing(state, { payload }: PayloadAction<string>): CashOutState {
      const flow = state.flows[payload]
      return flow?.stage === 'sending' ? withFlow(state, payload, { ...flow, isUnsure: true }) : state
    },
    cashOutEnded: (
      state,
      { payload }: PayloadAction<{ ticketId: string; flow: Exclude<CashOutFlow, { stage: 'sending' | 'confirming' }> }>,
    ) => withFlow(state, payload.ticketId, payload.flow),
    /** The server has set or removed a rule. */
    ruleChanged(
      state,
      { payload }: PayloadAction<{ ticketId: string; revision: number; rule: CashOutRule | null }>,
    ): CashOutState {
      const { ticketId, rule, revision } = payload
      return { ...state, rules: { ...state.rules, [ticketId]: { rule, revision } } }
    },
  },
  extraReducers: (builder) => {
    builder
      .addCase(cashOutValuesReceived, (state, { payload: { values, nowMs } }): CashOutState => {
        const told = values.map(
          (value) => [value.ticketId, heldOf(value, state.values[value.ticketId], nowMs, state.isStale)] as const,
        )
        // The first message of a connection has all values.
        const held = { ...(state.isStale ? {} : state.values), ...Object.fromEntries(told) }
        const flows = Object.entries(state.flows).flatMap(([id, flow]) => {
          const next = withValue(flow, held[id]?.net ?? null, nowMs)
          return next ? [[id, next] as const] : []
        })
        return { ...state, values: held, isStale: false, flows: Object.fromEntries(flows) }
      })
      .addCase(connectionLost, (state): CashOutState => {
        // What waits for its confirmation would confirm an old value.
        const flows = Object.entries(state.flows).filter(([, { stage }]) => stage !== 'confirming')
        return { ...state, flows: Object.fromEntries(flows), isStale: true }
      })
      .addCase(strangerSeen, () => NO_CASH_OUT)
      .addCase(memberSeen, (state, { payload }): CashOutState => {
        const owner = payload?.name ?? null
        // The hub may send the values of a new session before the user is known.
        return state.owner && owner && state.owner !== owner ? { ...NO_CASH_OUT, owner } : { ...state, owner }
      })
  },
})

export const {
  movementsEnded,
  confirmationAsked,
  flowEnded,
  cashOutConfirmed,
  cashOutResumed,
  answerMissing,
  cashOutEnded,
  ruleChanged,
} = cashOutSlice.actions

export const selectValue = ({ cashOut }: WithCashOut, ticketId: string) =>
  cashOut.isStale ? undefined : cashOut.values[ticketId]
export const selectFlow = ({ cashOut }: WithCashOut, ticketId: string) => cashOut.flows[ticketId]

/** By how many percent a value may fall before the bettor is asked again. */
export const selectTolerance = (state: Parameters<typeof selectAcceptsFall>[0]) =>
  selectAcceptsFall(state) ? FALL_PERCENT : 0

/** The rule of a bet: the one changed here, unless a newer revision of the bet is known. */
export function selectRule({ cashOut }: WithCashOut, { ticketId, revision, cashOutRule }: Bet): CashOutRule | null {
  const changed = cashOut.rules[ticketId]
  return changed && changed.revision >= revision ? changed.rule : cashOutRule
}

/** Adds the reducer to a store. Before that its part of the state does not change. */
export function addCashOut(store: AppStore): void {
  store.addReducers({ cashOut: cashOutSlice.reducer })
}
