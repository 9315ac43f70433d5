/**
 * Finds out who the bettor is: of the hub at the start, so that a stranger need not be asked about, which the server has no
 * answer for but an error; of the server for whoever is logged in, and when the hub says somebody else than we think.
 */
import type { AppStartListening, AppStore } from '../../app/store'
import { type AccountState, accountTold, memberSeen, strangerSeen, type User } from './accountSlice'

/** For so long the hub may leave open who it is: it may not be reached, or not know while its store stands still. */
const PATIENCE_MS = 3000

/** `undefined` for a stranger; null for a member of whom nothing could be got. */
export type FetchUser = (signal?: AbortSignal) => Promise<User | null | undefined>

export function startAccount(
  store: AppStore,
  startListening: AppStartListening,
  fetchUser: FetchUser,
  reconnect: () => void,
): () => void {
  let asking = new AbortController()
  // Whose session the hub said it is, last.
  let told: string | null | undefined
  const ask = async () => {
    asking.abort()
    asking = new AbortController()
    const { signal } = asking
    // What failed is as if nobody was there (specification, section 8).
    const user = await fetchUser(signal).catch(() => undefined)
    if (!signal.aborted) {
      store.dispatch(user === undefined ? strangerSeen() : memberSeen(user))
    }
  }
  const whoIsKnown = () => knownOf(store.getState().account)
  const stops = [
    startListening({
      actionCreator: accountTold,
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
    // The hub ends a connection whose session changed before the answer with the new cookie is here; one that came back
    // sooner than that came with the old one.
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

/** A member's name, null for a stranger; undefined where that is not known. */
function knownOf({ status, user }: AccountState): string | null | undefined {
  if (status === 'unknown') {
    return
  }
  return status === 'member' ? user?.name : null
}
