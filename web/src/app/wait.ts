/** Resolves after `ms`. Rejects with the signal's reason as soon as it is aborted. */
export function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', giveUp)
      resolve()
    }, ms)
    function giveUp() {
      clearTimeout(timer)
      reject(signal.reason)
    }
    signal.addEventListener('abort', giveUp, { once: true })
  })
}
