/** Loads the rules of the signed-in user. Anonymous users have none; after a failed call there are none either. */
import type { ToldRules } from '../../api/ticketApi'
import type { AppStartListening, AppStore } from '../../app/store'
import { selectAccountStatus, selectUser } from '../../platform/account/accountSlice'
import { rulesTold } from '../../platform/ticket/rulesSlice'

export function startRules(
  store: AppStore,
  startListening: AppStartListening,
  fetchRules: (signal: AbortSignal) => Promise<ToldRules>,
): () => void {
  let getting = new AbortController()
  const get = async () => {
    getting.abort()
    getting = new AbortController()
    const { signal } = getting
    const isMember = selectAccountStatus(store.getState()) === 'member'
    const rules = isMember ? await fetchRules(signal).catch(() => null) : null
    if (!signal.aborted) {
      store.dispatch(rulesTold(rules))
    }
  }
  const stop = startListening({
    predicate: (_, now, before) =>
      selectAccountStatus(now) !== selectAccountStatus(before) || selectUser(now)?.name !== selectUser(before)?.name,
    effect: get,
  })
  void get()
  return () => {
    stop()
    getting.abort()
  }
}
