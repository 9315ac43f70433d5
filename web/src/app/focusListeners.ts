/**
 * Where the focus goes when what has it leaves the page unasked: who is logged out loses the account's button, and with
 * the connection goes what was offered. Without that the next Tab begins at the top of the page (WCAG 2.4.3).
 */
import { strangerSeen } from '../features/account/accountSlice'
import { connectionLost } from '../features/connection/connectionSlice'
import type { AppStartListening } from './store'

export function startFocusKeeping(startListening: AppStartListening): () => void {
  return startListening({
    predicate: (action) => strangerSeen.match(action) || connectionLost.match(action),
    // It is called before the page is rendered anew.
    effect: () => {
      const places = placesOf(document.activeElement)
      requestAnimationFrame(() => focusFirst(places))
    },
  })
}

/** Where an element stands, from the inside to the outside. */
function placesOf(element: Element | null): readonly (readonly [around: Element, place: number])[] {
  const places: [Element, number][] = []
  for (let inner = element; inner?.parentElement && inner !== document.body; inner = inner.parentElement) {
    places.push([inner.parentElement, Array.from(inner.parentElement.children).indexOf(inner)])
  }
  return places
}

/** Gives a focus that was lost to what stands there now, or to the nearest around it that takes it. */
function focusFirst(places: ReturnType<typeof placesOf>): void {
  for (const [around, place] of places) {
    for (const heir of [around.children[place], around]) {
      if (document.activeElement && document.activeElement !== document.body) {
        return
      }
      if (heir instanceof HTMLElement && heir.isConnected) {
        heir.focus({ preventScroll: true })
      }
    }
  }
}
