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

/** A place in the page, by what is around it and beside it. */
interface Place {
  readonly around: Element
  readonly before: Element | null
  readonly after: Element | null
}

/** Where an element stands, from the inside to the outside. */
function placesOf(element: Element | null): readonly Place[] {
  const places: Place[] = []
  for (let inner = element; inner?.parentElement && inner !== document.body; inner = inner.parentElement) {
    const { parentElement: around, previousElementSibling: before, nextElementSibling: after } = inner
    places.push({ around, before, after })
  }
  return places
}

/** What stands there now. What stood beside it may have gone or come at the same moment, so that its number says nothing. */
function standingAt({ around, before, after }: Place): Element | null {
  if (after?.parentElement === around) {
    return after.previousElementSibling
  }
  return before?.parentElement === around ? before.nextElementSibling : around.lastElementChild
}

/** Gives a focus that was lost to what stands there now, or to the nearest around it that takes it. */
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
