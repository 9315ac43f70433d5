/**
 * Detects requests for the history of an odd: the pointer rests on it, a long press, or a key. There is one set of
 * listeners on the document, so the hundreds of odds buttons need none.
 */
import { isOfList, isPlainKey } from '../../components/pageKeys'
import type { OddId } from '../../domain/offer'

/** A request. `byKey`: the card takes the focus; `byTouch`: it stays until something else is pressed. */
export interface Asked {
  readonly oddId: OddId
  readonly button: HTMLElement
  readonly how: 'byPointer' | 'byTouch' | 'byKey'
}

/** How long the pointer must rest on an odd. */
export const REST_MS = 600
export const LONG_PRESS_MS = 500
/** How long the pointer may be outside, on its way between the odd and its card. */
export const LEAVE_MS = 200
/** A finger that moves further than this is scrolling. */
const STILL_PX = 10

export interface Watcher {
  readonly hasKeys: () => boolean
  readonly ask: (asked: Asked) => void
  readonly dismiss: () => void
  /** The pointer went elsewhere. A card opened by key or touch stays. */
  readonly leave: () => void
}

/** The odds button of an event, if there is one. */
function oddAt(target: EventTarget | null): { oddId: OddId; button: HTMLElement } | null {
  const button = target instanceof Element ? target.closest<HTMLElement>('main [data-odd-id]') : null
  return button ? { oddId: Number(button.dataset['oddId']), button } : null
}

function isInCard(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[data-history]') !== null
}

/** Starts listening. Returns a function that stops it. The card is recognised by `data-history`. */
export function watchOdds({ hasKeys, ask, dismiss, leave }: Watcher): () => void {
  let timer: number | undefined
  let pressed: { x: number; y: number; asked: boolean } | null = null
  const later = (ms: number, callback: () => void) => {
    window.clearTimeout(timer)
    timer = window.setTimeout(callback, ms)
  }
  const listeners: { [Name in keyof DocumentEventMap]?: (event: DocumentEventMap[Name]) => void } = {
    pointerover: (event) => {
      if (event.pointerType !== 'mouse') {
        return
      }
      const odd = oddAt(event.target)
      if (odd) {
        later(REST_MS, () => odd.button.isConnected && ask({ ...odd, how: 'byPointer' }))
      } else if (isInCard(event.target)) {
        window.clearTimeout(timer)
      } else {
        later(LEAVE_MS, leave)
      }
    },
    pointerdown: (event) => {
      if (isInCard(event.target)) {
        return
      }
      window.clearTimeout(timer)
      dismiss()
      const odd = oddAt(event.target)
      pressed = event.pointerType === 'touch' && odd ? { x: event.clientX, y: event.clientY, asked: false } : null
      if (odd && pressed) {
        const press = pressed
        later(LONG_PRESS_MS, () => {
          press.asked = true
          ask({ ...odd, how: 'byTouch' })
        })
      }
    },
    pointermove: (event) => {
      if (pressed && !pressed.asked && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > STILL_PX) {
        pressed = null
        window.clearTimeout(timer)
      }
    },
    pointerup: () => {
      if (pressed && !pressed.asked) {
        window.clearTimeout(timer)
      }
    },
    pointercancel: () => {
      if (pressed && !pressed.asked) {
        window.clearTimeout(timer)
      }
      pressed = null
    },
    // A long press on an odd must not open the context menu of the row.
    contextmenu: (event) => {
      if (pressed) {
        event.preventDefault()
        event.stopPropagation()
      }
    },
    // A long press must not also pick the odd.
    click: (event) => {
      if (pressed?.asked) {
        event.preventDefault()
        event.stopPropagation()
      }
      pressed = null
    },
    keydown: (event) => {
      const odd = oddAt(event.target)
      const isAsking = event.key.toLowerCase() === 'g' && isPlainKey(event) && !event.shiftKey && hasKeys()
      if (odd && isAsking && isOfList(event.target)) {
        event.preventDefault()
        window.clearTimeout(timer)
        ask({ ...odd, how: 'byKey' })
      }
    },
  }
  const scrolled = () => {
    window.clearTimeout(timer)
    dismiss()
  }
  for (const [name, listener] of Object.entries(listeners)) {
    document.addEventListener(name, listener as EventListener, { capture: true })
  }
  window.addEventListener('scroll', scrolled, { passive: true })
  return () => {
    window.clearTimeout(timer)
    for (const [name, listener] of Object.entries(listeners)) {
      document.removeEventListener(name, listener as EventListener, { capture: true })
    }
    window.removeEventListener('scroll', scrolled)
  }
}
