/**
 * Moves the focus when a logout or a lost connection removes the focused element. Otherwise the next Tab would start at
 * the top of the page (WCAG 2.4.3).
 */
import { strangerSeen } from '../platform/account/accountSlice'
import { connectionLost } from '../platform/connection/connectionSlice'
import type { AppStartListening } from './store'

export function startFocusKeeping(startListening: AppStartListening): () => void {
  return startListening({
    predicate: (action) => strangerSeen.match(action) || connectionLost.match(action),
    // This runs before React renders the change.
    effect: () => {
      const places = placesOf(document.activeElement)
      requestAnimationFrame(() => focusFirst(places))
    },
  })
}

/** The location of an element: its parent and its siblings. */
interface Place {
  readonly around: Element
  readonly before: Element | null
  readonly after: Element | null
}

/** The locations of an element and of its ancestors, from the inside to the outside. */
function placesOf(element: Element | null): readonly Place[] {
  const places: Place[] = []
  for (let inner = element; inner?.parentElement && inner !== document.body; inner = inner.parentElement) {
    const { parentElement: around, previousElementSibling: before, nextElementSibling: after } = inner
    places.push({ around, before, after })
  }
  return places
}

/** The element at this location now. Siblings may have changed at the same time, so an index would not be reliable. */
function standingAt({ around, before, after }: Place): Element | null {
  if (after?.parentElement === around) {
    return after.previousElementSibling
  }
  return before?.parentElement === around ? before.nextElementSibling : around.lastElementChild
}

/** If the focus was lost, moves it to the element at the same location, or to the nearest ancestor that accepts it. */
function focusFirst(places: readonly Place[]): void {
  for (const place of places) {
    for (const heir of [standingAt(place), place.around]) {
      if (document.activeElement && document.activeElement !== document.body) {
        return
      }
      if (heir instanceof HTMLElement && heir.isConnected) {
        heir.focus({ preventScroll: true })
      }
    }
  }
}
