/** The user, as far as the server has reported. */
import { createSlice, type PayloadAction } from '@reduxjs/toolkit'
import type { AccountMoney } from '../../domain/bet'
import { connectionLost } from '../connection/connectionSlice'

/** A user, from `GET live/user-status`. */
export interface User {
  name: string
  /** An exact decimal amount: `123.45`. */
  balance: string
  currency: string
  /** What the user owes after corrections of settlements; absent if the server did not report it. */
  receivable?: string
  /** The cashier of the installation: `none` (also if absent) or `demo`. */
  cashier?: string
  /** The whole answer; `protectionSlice.ts` reads it. */
  status?: unknown
}

export interface AccountState {
  /** `unknown` until the first answer; `member` (signed in) after any answer but 401. */
  status: 'unknown' | 'anonymous' | 'member'
  /** Also null for a signed-in user whose data could not be loaded. */
  user: User | null
  /** What the hub reported last. While it is held, HTTP answers, which may be older, do not change the balance. */
  money?: AccountMoney | null
}

const initialState: AccountState = { status: 'unknown', user: null }

export const accountSlice = createSlice({
  name: 'account',
  initialState,
  reducers: {
    memberSeen({ user, money }, { payload }: PayloadAction<User | null>): AccountState {
      const held = user && payload && user.name !== payload.name ? null : money
      return {
        status: 'member',
        user: payload && held ? withMoney(payload, held) : payload,
        ...(held && { money: held }),
      }
    },
    strangerSeen: (): AccountState => ({ status: 'anonymous', user: null }),
    /** The user logged out and the server confirmed it. `strangerSeen` follows. */
    loggedOut() {
      // No state here; listeners remove the user's data.
    },
    /** The balance after a bet, from the answer to it. */
    balanceTold(state, { payload }: PayloadAction<string>) {
      if (state.user && !state.money) {
        state.user.balance = payload
      }
    },
    moneyReceived(state, { payload }: PayloadAction<AccountMoney>) {
      if (state.money && state.money.revision >= payload.revision) {
        return
      }
      state.money = payload
      if (state.user) {
        state.user = withMoney(state.user, payload)
      }
    },
  },
  extraReducers: (builder) => {
    // From now on HTTP answers are newer than the last report.
    builder.addCase(connectionLost, (state) => {
      state.money = null
    })
  },
})

function withMoney(user: User, { balance, receivable }: AccountMoney): User {
  return { ...user, balance, receivable }
}

export const { memberSeen, strangerSeen, loggedOut, balanceTold, moneyReceived } = accountSlice.actions

interface State {
  readonly account: AccountState
}

export const selectAccountStatus = (state: State) => state.account.status
export const selectUser = (state: State) => state.account.user
export const selectCurrency = (state: State) => state.account.user?.currency ?? 'EUR'
