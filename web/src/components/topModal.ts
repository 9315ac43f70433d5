/** Which modal dialog is on top. Everything outside it is inert, also live regions. */
import { useSyncExternalStore } from 'react'

const modals: HTMLElement[] = []
const listeners = new Set<() => void>()

/** Adds a modal dialog that has just been opened. Returns a function that removes it. */
export function addModal(dialog: HTMLElement): () => void {
  modals.push(dialog)
  notify()
  return () => {
    modals.splice(modals.indexOf(dialog), 1)
    notify()
  }
}

/** The topmost open modal dialog; null if none is open. */
export function useTopModal(): HTMLElement | null {
  return useSyncExternalStore(subscribe, () => modals.at(-1) ?? null)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function notify(): void {
  for (const listener of listeners) {
    listener()
  }
}
