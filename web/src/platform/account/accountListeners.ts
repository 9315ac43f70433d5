/**
 * Keeps the current user up to date. At the start the hub reports whether the user is signed in, so an anonymous user
 * needs no HTTP call (it would end in a 401). For a signed-in user, and whenever the hub reports another user, the
 * user's data are fetched.
 */
import type { AppStartListening, AppStore } from '../../app/store'
import { accountReceived } from '../connection/hubMessages'
import { type AccountState, memberSeen, strangerSeen, type User } from './accountSlice'

/**
 * If the hub has not reported the user after this time, ask over HTTP: the hub or its session store may be unavailable.
 */
const PATIENCE_MS = 3000

/** `undefined` for an anonymous user; null for a signed-in user whose data could not be loaded. */
export type FetchUser = (signal?: AbortSignal) => Promise<User | null | undefined>

export function startAccount(
  store: AppStore,
  startListening: AppStartListening,
  fetchUser: FetchUser,
  reconnect: () => void,
): () => void {
  let asking = new AbortController()
  // The user that the hub reported last; null for an anonymous session.
  let told: string | null | undefined
  const ask = async () => {
    asking.abort()
    asking = new AbortController()
    const { signal } = asking
    // A failed call counts as an anonymous user.
    const user = await fetchUser(signal).catch(() => undefined)
    if (!signal.aborted) {
      store.dispatch(user === undefined ? strangerSeen() : memberSeen(user))
    }
  }
  const whoIsKnown = () => knownOf(store.getState().account)
  const stops = [
    startListening({
      actionCreator: accountReceived,
      effect: ({ payload }) => {
        told = payload
        const known = whoIsKnown()
        if (known === undefined && payload === null) {
          store.dispatch(strangerSeen())
        } else if (known !== payload) {
          void ask()
        }
      },
    }),
    // The hub closes a connection whose session changes, and the client may reconnect before it has the new cookie.
    // Then the new connection still has the old session and must be replaced.
    startListening({
      predicate: (_, now, before) => knownOf(now.account) !== knownOf(before.account),
      effect: () => {
        const known = whoIsKnown()
        if (known !== undefined && told !== undefined && told !== known) {
          told = undefined
          reconnect()
        }
      },
    }),
  ]
  const timer = setTimeout(() => whoIsKnown() === undefined && ask(), PATIENCE_MS)
  return () => {
    clearTimeout(timer)
    for (const stop of stops) {
      stop()
    }
    asking.abort()
  }
}

/** The name of a signed-in user; null for an anonymous one; undefined if unknown. */
function knownOf({ status, user }: AccountState): string | null | undefined {
  if (status === 'unknown') {
    return
  }
  return status === 'member' ? user?.name : null
}
