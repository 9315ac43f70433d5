/** What overlays that cover the page have in common: returning the focus, and closing by a press beside their content. */
import { type MouseEvent, type PointerEvent, useRef } from 'react'

/** A ref that shows the overlay while it is mounted, and then returns the focus. `show` returns what hides it. */
export function shownBy<Overlay extends HTMLElement>(show: (overlay: Overlay) => () => void) {
  return (overlay: Overlay | null) => {
    if (!overlay) {
      return
    }
    const goBack = placeOfFocus()
    const hide = show(overlay)
    return () => {
      hide()
      goBack()
    }
  }
}

/** Remembers the focused element before an overlay opens. Returns a function that restores the focus. */
function placeOfFocus(): () => void {
  const before = document.activeElement
  // The element may be gone by then, for example after a bet was accepted. Then its container gets the focus.
  const around = before?.closest('[data-ticket], main') ?? null
  return () => {
    const back = before?.isConnected ? before : around
    if (back instanceof HTMLElement) {
      back.focus({ preventScroll: true })
    }
  }
}

/**
 * Handlers for presses of the overlay's own element, which is around its content or is its backdrop. They wait for the
 * release, as otherwise the element below would be clicked. A press that begins in the content, to select a text, is no
 * such press.
 */
export function usePressBeside(onPress: (() => void) | undefined) {
  const began = useRef(false)
  const isBeside = (event: MouseEvent) => event.target === event.currentTarget
  return {
    onPointerDown: (event: PointerEvent) => {
      began.current = isBeside(event)
      if (began.current) {
        // The focus stays where it is.
        event.preventDefault()
      }
    },
    onClick: (event: MouseEvent) => {
      if (onPress && began.current && isBeside(event)) {
        onPress()
      }
    },
  }
}
