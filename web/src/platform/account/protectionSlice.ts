/** The protection of the signed-in user, from `live/user-status` and the hub. It loads after the first paint. */
import { createAction, createSlice, original, type PayloadAction } from '@reduxjs/toolkit'
import type { AppStore } from '../../app/store'
import { type Exclusion, kindOf } from '../../domain/exclusion'
import type { SessionEnd } from '../../domain/sessionEnd'
import { readStatus } from '../../protocol/readProtection'
import { loggedOut, memberSeen, selectUser, strangerSeen, type User } from './accountSlice'
import type { ProtectionState } from './protectionState'

const initialState: ProtectionState = {
  owner: null,
  status: undefined,
  exclusion: null,
  barred: null,
  sessionEndsAt: null,
  announced: null,
  ended: null,
  changes: 0,
}

/** The user was already known when this reducer was added. */
const userKnown = createAction<User>('protection/userKnown')

/** Two times that are closer to each other are the same end of a login. */
const SAME_END_MS = 30_000

export const protectionSlice = createSlice({
  name: 'protection',
  initialState,
  reducers: {
    /** The user has started an exclusion. */
    exclusionStarted: (state, { payload }: PayloadAction<Exclusion | null>): ProtectionState =>
      withExclusion(heldOf(state), payload),
    /** Its time is over. */
    exclusionEnded: (state): ProtectionState => withExclusion(heldOf(state), null),
    sessionAnnounced: (state, { payload }: PayloadAction<SessionEnd>): ProtectionState => ({
      ...heldOf(state),
      sessionEndsAt: payload.endsAt,
      announced: payload,
    }),
    announcementRead: (state): ProtectionState => ({ ...heldOf(state), announced: null }),
    sessionEnded: (state, { payload }: PayloadAction<SessionEnd>): ProtectionState => ({
      ...heldOf(state),
      sessionEndsAt: null,
      announced: null,
      ended: payload,
    }),
    sessionEndRead: (state): ProtectionState => ({ ...heldOf(state), ended: null }),
    /** The hub reported that the exclusion, the limits or the block of the account changed. */
    accountChanged: (state): ProtectionState => ({ ...heldOf(state), changes: state.changes + 1 }),
  },
  extraReducers: (builder) => {
    builder
      .addCase(memberSeen, (state, { payload }) => withUser(heldOf(state), payload))
      .addCase(userKnown, (state, { payload }) => withUser(heldOf(state), payload))
      .addCase(strangerSeen, (state): ProtectionState => ({ ...initialState, ended: state.ended }))
      // A login that its user ends is not ended by the limit.
      .addCase(loggedOut, (): ProtectionState => initialState)
  },
})

function heldOf(state: ProtectionState): ProtectionState {
  return original(state) ?? initialState
}

function withUser(held: ProtectionState, user: User | null): ProtectionState {
  if (!user) {
    return held
  }
  const isSame = held.owner === user.name
  const { status } = user
  // Other answers, such as that of a deposit, repeat the last status of the user.
  if (isSame && (status === undefined || status === held.status)) {
    return held
  }
  const { exclusion, sessionEndsAt } = readStatus(status ?? {})
  const isAnnounced =
    isSame && sessionEndsAt !== null && Math.abs((held.announced?.endsAt ?? 0) - sessionEndsAt) < SAME_END_MS
  return {
    ...withExclusion(held, exclusion),
    owner: user.name,
    status,
    sessionEndsAt,
    announced: isAnnounced ? held.announced : null,
    ended: null,
  }
}

function withExclusion(state: ProtectionState, exclusion: Exclusion | null): ProtectionState {
  const { exclusion: held } = state
  const isSame = exclusion && held?.kind === exclusion.kind && held.until === exclusion.until
  return { ...state, exclusion: isSame ? held : exclusion, barred: exclusion && `barred_${kindOf(exclusion)}` }
}

export const {
  exclusionStarted,
  exclusionEnded,
  sessionAnnounced,
  announcementRead,
  sessionEnded,
  sessionEndRead,
  accountChanged,
} = protectionSlice.actions

/** Something suggests that the status of the user has changed: fetch it again. */
export const statusDoubted = createAction('protection/statusDoubted')

interface State {
  readonly protection?: ProtectionState
}

export const selectExclusion = (state: State) => state.protection?.exclusion ?? null
export const selectAnnouncedEnd = (state: State) => state.protection?.announced ?? null
export const selectSessionEnd = (state: State) => state.protection?.ended ?? null
export const selectAccountChanges = (state: State) => state.protection?.changes ?? 0

/** Adds the reducer to a store, with the user that is already known. */
export function addProtection(store: AppStore): void {
  store.addReducers({ protection: protectionSlice.reducer })
  const user = selectUser(store.getState())
  if (user) {
    store.dispatch(userKnown(user))
  }
}
