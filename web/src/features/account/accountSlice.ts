/** The user, as far as the server has reported. */
import { createSlice, type PayloadAction } from '@reduxjs/toolkit'

/** A user, from `GET live/user-status`. */
export interface User {
  name: string
  /** An exact decimal amount: `123.45`. */
  balance: string
  currency: string
}

export interface AccountState {
  /** `unknown` until the first answer; `member` (signed in) after any answer but 401. */
  status: 'unknown' | 'anonymous' | 'member'
  /** Also null for a signed-in user whose data could not be loaded. */
  user: User | null
}

const initialState: AccountState = { status: 'unknown', user: null }

export const accountSlice = createSlice({
  name: 'account',
  initialState,
  reducers: {
    memberSeen: (_, { payload }: PayloadAction<User | null>): AccountState => ({ status: 'member', user: payload }),
    strangerSeen: (): AccountState => ({ status: 'anonymous', user: null }),
    /** The user logged out and the server confirmed it. `strangerSeen` follows. */
    loggedOut() {
      // No state here; listeners remove the user's data.
    },
    /** The balance after a bet. */
    balanceTold(state, { payload }: PayloadAction<string>) {
      if (state.user) {
        state.user.balance = payload
      }
    },
    /** The hub reported the user of the session; null for an anonymous one. */
    accountTold(_state, _action: PayloadAction<string | null>) {
      // No state here; a listener loads the user.
    },
  },
})

export const { memberSeen, strangerSeen, loggedOut, balanceTold, accountTold } = accountSlice.actions

interface State {
  readonly account: AccountState
}

export const selectAccountStatus = (state: State) => state.account.status
export const selectUser = (state: State) => state.account.user
export const selectCurrency = (state: State) => state.account.user?.currency ?? 'EUR'
