/** Who the bettor is, as far as the server has said. */
import { createSlice, type PayloadAction } from '@reduxjs/toolkit'

/** What `GET live/user-status` says of somebody. */
export interface User {
  name: string
  /** An exact amount: `123.45`. */
  balance: string
  currency: string
}

export interface AccountState {
  /** `unknown` until the first check; `member` where the server said anything but 401. */
  status: 'unknown' | 'anonymous' | 'member'
  /** Null also for a member of whom nothing could be got. */
  user: User | null
}

const initialState: AccountState = { status: 'unknown', user: null }

export const accountSlice = createSlice({
  name: 'account',
  initialState,
  reducers: {
    memberSeen: (_, { payload }: PayloadAction<User | null>): AccountState => ({ status: 'member', user: payload }),
    strangerSeen: (): AccountState => ({ status: 'anonymous', user: null }),
    /** The bettor logged out, and the server confirmed it; `strangerSeen` follows. */
    loggedOut() {
      // Listeners remove what belonged to the bettor.
    },
    /** By a bet. */
    balanceTold(state, { payload }: PayloadAction<string>) {
      if (state.user) {
        state.user.balance = payload
      }
    },
    /** The hub says whose session this is; null: nobody's. */
    accountTold(_state, _action: PayloadAction<string | null>) {
      // A listener finds out more.
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
