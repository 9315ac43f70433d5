/**
 * Detects requests for the history of an odd: a right click, a long press, or a key; never a pointer that only rests
 * there. There is one set of listeners on the document, so the hundreds of odds buttons need none.
 */
import { isOfList, isPlainKey } from '../../components/pageKeys'
import type { OddId } from '../../domain/offer'

/** A request. `byKey`: the card takes the focus. */
export interface Asked {
  readonly oddId: OddId
  readonly button: HTMLElement
  readonly how: 'byPress' | 'byKey'
}

export const LONG_PRESS_MS = 500
/** A finger that moves further than this is scrolling. */
const STILL_PX = 10
/** `MouseEvent.button` of a right click. */
const RIGHT = 2

export interface Watcher {
  readonly hasKeys: () => boolean
  readonly ask: (asked: Asked) => void
  readonly dismiss: () => void
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
export function watchOdds({ hasKeys, ask, dismiss }: Watcher): () => void {
  let timer: number | undefined
  let pressed: { x: number; y: number; asked: boolean } | null = null
  const later = (ms: number, callback: () => void) => {
    window.clearTimeout(timer)
    timer = window.setTimeout(callback, ms)
  }
  const listeners: { [Name in keyof DocumentEventMap]?: (event: DocumentEventMap[Name]) => void } = {
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
          ask({ ...odd, how: 'byPress' })
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
    // On an odd it replaces the context menu of the row. The menu key still opens that.
    contextmenu: (event) => {
      const odd = oddAt(event.target)
      const isRightClick = odd !== null && event.button === RIGHT
      if (pressed || isRightClick) {
        event.preventDefault()
        event.stopPropagation()
      }
      if (!pressed && isRightClick) {
        ask({ ...odd, how: 'byPress' })
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
