/** Finds out who the bettor is: at the start, and when the hub says that it is somebody else than we think. */
import type { AppStartListening, AppStore } from '../../app/store'
import { type AccountState, accountTold, memberSeen, strangerSeen, type User } from './accountSlice'

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
  const stops = [
    startListening({
      actionCreator: accountTold,
      effect: ({ payload }) => {
        told = payload
        const { account } = store.getState()
        // While nothing is known the answer is on its way, and is compared with this when it comes.
        if (account.status !== 'unknown' && knownOf(account) !== payload) {
          void ask()
        }
      },
    }),
    // The hub ends a connection whose session changed before the answer with the new cookie is here; one that came back
    // sooner than that came with the old one.
    startListening({
      predicate: (_, now, before) => knownOf(now.account) !== knownOf(before.account),
      effect: () => {
        const known = knownOf(store.getState().account)
        if (known !== undefined && told !== undefined && told !== known) {
          told = undefined
          reconnect()
        }
      },
    }),
  ]
  void ask()
  return () => {
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
