/** The browser as the environment of the hub client. */
import type { HubWorld } from './hubClient'

export const BROWSER: HubWorld = {
  connect: (url, subprotocol) => new WebSocket(url, subprotocol),
  now: () => Date.now(),
  random: () => Math.random(),
  setTimeout: (callback, ms) => window.setTimeout(callback, ms),
  clearTimeout: (timer) => window.clearTimeout(timer as number),
  onNetwork: (callback) => {
    const listeners = { online: () => callback(true), offline: () => callback(false) }
    for (const [event, listener] of Object.entries(listeners)) {
      window.addEventListener(event, listener)
    }
    return () => {
      for (const [event, listener] of Object.entries(listeners)) {
        window.removeEventListener(event, listener)
      }
    }
  },
}
