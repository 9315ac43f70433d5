/**
 * Keeps the protection of the bettor up to date: fetches the status of the user again when it may have changed, ends an
 * exclusion when its time is over, and announces both, and the end of the login by its limit.
 */
import type { AppStartListening, AppStore, RootState } from '../../app/store'
import { kindOf } from '../../domain/exclusion'
import { isOver, minutesUntil, type SessionEnd } from '../../domain/sessionEnd'
import { ACCOUNT_CHANGED, readSessionEnd } from '../../protocol/readProtection'
import { selectServerOffset } from '../connection/connectionSelectors'
import { connectionLost } from '../connection/connectionSlice'
import { accountReceived } from '../connection/hubMessages'
import { announcementWished } from '../notices/announcementsSlice'
import { noticeShown } from '../notices/noticesSlice'
import { selectLanguage } from '../preferences/preferencesSelectors'
import { panelTurned } from '../view/viewSlice'
import type { FetchUser } from './accountListeners'
import { memberSeen, selectUser, strangerSeen } from './accountSlice'
import { exclusionText } from './exclusionText'
import {
  accountChanged,
  addProtection,
  exclusionEnded,
  selectExclusion,
  sessionAnnounced,
  sessionEnded,
  statusDoubted,
} from './protectionSlice'

/** A timer does not run while the machine sleeps, so the end of an exclusion is checked at least this often. */
const CHECK_MS = 30_000
/** An end that is closer is announced at once, without a message of the hub. */
const ANNOUNCED_MS = 5 * 60_000

export interface ProtectionWorld {
  readonly fetchUser: FetchUser
  readonly now: () => number
}

/** Decodes a message of the hub of kind 24 or 25 and dispatches it. A malformed one is ignored. */
export function dispatchProtection({ dispatch, getState }: AppStore, raw: readonly unknown[], nowMs: number): void {
  if (raw[0] === ACCOUNT_CHANGED) {
    dispatch(accountChanged())
    return
  }
  const end = readSessionEnd(raw)
  if (end) {
    dispatch(isOver(end, nowMs + selectServerOffset(getState())) ? sessionEnded(end) : sessionAnnounced(end))
  }
}

export function startProtection(
  store: AppStore,
  startListening: AppStartListening,
  world: ProtectionWorld,
): () => void {
  addProtection(store)
  const { dispatch, getState } = store
  const pageNow = (state: RootState) => world.now() + selectServerOffset(state)
  let asking = new AbortController()
  const ask = async () => {
    asking.abort()
    asking = new AbortController()
    const { signal } = asking
    const user = await world.fetchUser(signal).catch(() => null)
    if (user && !signal.aborted && selectUser(getState())?.name === user.name) {
      dispatch(memberSeen(user))
    }
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  const checkEnd = () => {
    clearTimeout(timer)
    const state = getState()
    const until = selectExclusion(state)?.until ?? null
    if (until === null) {
      return
    }
    const leftMs = until - pageNow(state)
    if (leftMs > 0) {
      timer = setTimeout(checkEnd, Math.min(leftMs, CHECK_MS))
    } else {
      dispatch(exclusionEnded())
    }
  }
  let wasLost = false
  const stops = [
    startListening({
      predicate: (action) => accountChanged.match(action) || statusDoubted.match(action),
      effect: ask,
    }),
    startListening({
      actionCreator: connectionLost,
      effect: () => {
        wasLost = true
      },
    }),
    // The hub may have reported a change while the connection was lost.
    startListening({
      actionCreator: accountReceived,
      effect: ({ payload }) => {
        if (wasLost && payload !== null && payload === selectUser(getState())?.name) {
          void ask()
        }
        wasLost = false
      },
    }),
    startListening({
      predicate: (_, now, before) =>
        selectExclusion(now) !== selectExclusion(before) || selectServerOffset(now) !== selectServerOffset(before),
      effect: checkEnd,
    }),
    startListening({
      predicate: (_, now, before) => selectExclusion(now) !== selectExclusion(before),
      effect: (_, api) => {
        const exclusion = selectExclusion(api.getState())
        if (exclusion) {
          dispatch(announcementWished(exclusionText(exclusion, selectLanguage(api.getState()))))
        }
      },
    }),
    startListening({
      actionCreator: exclusionEnded,
      effect: (_, api) => {
        const exclusion = selectExclusion(api.getOriginalState())
        if (exclusion) {
          dispatch(noticeShown(`exclusionOver_${kindOf(exclusion)}`))
        }
      },
    }),
    ...sessionListeners(store, startListening, pageNow),
  ]
  checkEnd()
  return () => {
    clearTimeout(timer)
    asking.abort()
    for (const stop of stops) {
      stop()
    }
  }
}

function sessionListeners(
  { dispatch, getState }: AppStore,
  startListening: AppStartListening,
  pageNow: (state: RootState) => number,
) {
  /** A page that is opened shortly before the end may get no message about it. */
  const announceIfSoon = () => {
    const state = getState()
    const { sessionEndsAt = null, announced } = state.protection ?? {}
    const leftMs = (sessionEndsAt ?? 0) - pageNow(state)
    if (sessionEndsAt !== null && !announced && leftMs > 0 && leftMs < ANNOUNCED_MS) {
      dispatch(sessionAnnounced({ endsAt: sessionEndsAt, sums: null }))
    }
  }
  announceIfSoon()
  return [
    startListening({
      actionCreator: sessionAnnounced,
      effect: ({ payload: { endsAt } }, api) => {
        dispatch(
          announcementWished({
            key: 'sessionEndsIn',
            values: { count: minutesUntil(endsAt, pageNow(api.getState())) },
          }),
        )
      },
    }),
    startListening({
      predicate: (_, now, before) => now.protection?.sessionEndsAt !== before.protection?.sessionEndsAt,
      effect: announceIfSoon,
    }),
    // A page without a connection gets no message about the end.
    startListening({
      actionCreator: strangerSeen,
      effect: (_, api) => {
        const endsAt = api.getOriginalState().protection?.sessionEndsAt ?? null
        const end: SessionEnd | null = endsAt === null ? null : { endsAt, sums: null }
        if (end && isOver(end, pageNow(api.getState()))) {
          dispatch(sessionEnded(end))
        }
      },
    }),
    startListening({
      actionCreator: sessionEnded,
      // A dialog of the account must not open by itself after the next login.
      effect: () => {
        dispatch(panelTurned(null))
      },
    }),
  ]
}
