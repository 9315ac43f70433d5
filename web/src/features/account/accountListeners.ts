/** Finds out who the bettor is: at the start, and when the hub says that it is somebody else than we think. */
import type { AppStartListening, AppStore } from '../../app/store'
import { accountTold, memberSeen, strangerSeen, type User } from './accountSlice'

/** `undefined` for a stranger; null for a member of whom nothing could be got. */
export type FetchUser = (signal?: AbortSignal) => Promise<User | null | undefined>

export function startAccount(store: AppStore, startListening: AppStartListening, fetchUser: FetchUser): () => void {
  let asking = new AbortController()
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
  const stop = startListening({
    actionCreator: accountTold,
    effect: ({ payload }) => {
      const { status, user } = store.getState().account
      const known = status === 'member' ? (user?.name ?? undefined) : null
      if (status === 'unknown' || known !== payload) {
        void ask()
      }
    },
  })
  void ask()
  return () => {
    stop()
    asking.abort()
  }
}
