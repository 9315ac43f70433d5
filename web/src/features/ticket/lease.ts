/**
 * A lock over local storage, for pages whose origin is not secure and that have no better one. Whoever writes its name
 * and finds it there a moment later holds it, and goes on writing; a name that is old is nobody's.
 */
import type { PlacingWorld } from './placing'

const KEY = 'cn-placement-lease'
/** Two that write at once have both written by then, and one of them finds the other's name. */
const SETTLE_MS = 60
const RENEW_MS = 1000
/** A tab in the background writes once a second, and once a minute where the browser is strict. */
const OLD_MS = 70_000

export function lease(storage: PlacingWorld['storage'], wait: PlacingWorld['wait']): PlacingWorld['locked'] {
  const me = `${Date.now()}-${Math.random()}`
  /** Of those of this tab one holds it, or is about to. */
  let isTaken = false
  /** Whether another tab holds it. A storage that is full or forbidden names nobody: nothing tells of other tabs then. */
  const isOthers = (): boolean => {
    const [name, since] = (attempt(() => storage.getItem(KEY)) ?? '').split(' ')
    // Of tomorrow, by a clock that was set back since, it is as old.
    return Boolean(name) && name !== me && Math.abs(Date.now() - Number(since)) < OLD_MS
  }
  const write = () => attempt(() => storage.setItem(KEY, `${me} ${Date.now()}`))
  const leave = () => {
    if (!isOthers()) {
      attempt(() => storage.removeItem(KEY))
    }
  }
  const take = async (signal: AbortSignal): Promise<boolean> => {
    if (isTaken || isOthers()) {
      return false
    }
    isTaken = true
    write()
    await wait(SETTLE_MS, signal)
    isTaken = !isOthers()
    return isTaken
  }
  return async (ifFree, signal, run) => {
    while (!(await take(signal))) {
      if (ifFree) {
        return false
      }
      await wait(RENEW_MS, signal)
    }
    const timer = setInterval(write, RENEW_MS)
    window.addEventListener('pagehide', leave)
    try {
      await run()
      return true
    } finally {
      isTaken = false
      clearInterval(timer)
      window.removeEventListener('pagehide', leave)
      leave()
    }
  }
}

function attempt<T>(use: () => T): T | null {
  try {
    return use()
  } catch {
    return null
  }
}
