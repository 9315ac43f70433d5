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
  const holder = (): string | null => {
    const [name, since] = (storage.getItem(KEY) ?? '').split(' ')
    return name && Date.now() - Number(since) < OLD_MS ? name : null
  }
  const write = () => storage.setItem(KEY, `${me} ${Date.now()}`)
  const take = async (signal: AbortSignal): Promise<boolean> => {
    if (holder() !== null && holder() !== me) {
      return false
    }
    write()
    await wait(SETTLE_MS, signal)
    return holder() === me
  }
  return async (ifFree, signal, run) => {
    while (!(await take(signal))) {
      if (ifFree) {
        return false
      }
      await wait(RENEW_MS, signal)
    }
    const timer = setInterval(write, RENEW_MS)
    const leave = () => storage.removeItem(KEY)
    window.addEventListener('pagehide', leave)
    try {
      await run()
      return true
    } finally {
      clearInterval(timer)
      window.removeEventListener('pagehide', leave)
      leave()
    }
  }
}
