/** Handlers for buttons that place or end a bet: they ignore presses that were meant for something else. */
import type { MouseEvent } from 'react'

/** Ignores a second press this soon after the first, or after a value fell: the button has not been read yet. */
export const DELIBERATE_MS = 400

/** Ignores the second click of a double click: it was meant for the button that was there before. */
export function once(act?: () => unknown) {
  return (event: MouseEvent) => {
    if (event.detail <= 1) {
      act?.()
    } else {
      event.preventDefault()
    }
  }
}

/** Ignores repeated events of a key held down: the Enter that opened the dialog must not confirm it too. */
export function ignoreHeldKey(event: { readonly repeat: boolean; preventDefault(): void }) {
  if (event.repeat) {
    event.preventDefault()
  }
}
