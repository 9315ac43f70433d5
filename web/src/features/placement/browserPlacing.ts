/** The browser as the environment of placing. */

import { sendTicket } from '../../api/ticketApi'
import { fetchUser } from '../../api/userApi'
import { uuid } from '../../components/uuid'
import { browserStorage, tabStorage } from '../../platform/preferences/preferencesStorage'
import type { PlacingWorld } from './placing'

const LOCK = 'cn-placement'

export function browserPlacing(): PlacingWorld {
  return {
    storage: browserStorage(),
    tabStorage: tabStorage(),
    onStored: (callback) => {
      const listener = (event: StorageEvent) => callback(event.key)
      window.addEventListener('storage', listener)
      return () => window.removeEventListener('storage', listener)
    },
    sendTicket,
    fetchUser,
    locked: navigator.locks ? webLock : withoutLock,
    uuid,
    now: () => Date.now(),
    random: () => Math.random(),
  }
}

async function webLock(ifFree: boolean, signal: AbortSignal, run: () => Promise<void>): Promise<boolean> {
  // The two options exclude each other.
  return navigator.locks.request(LOCK, ifFree ? { ifAvailable: true } : { signal }, async (lock) => {
    if (!lock) {
      return false
    }
    await run()
    return true
  })
}

/** A page from an insecure origin has no locks. The idempotency key still prevents that a bet is placed twice. */
async function withoutLock(_ifFree: boolean, _signal: AbortSignal, run: () => Promise<void>): Promise<boolean> {
  await run()
  return true
}
