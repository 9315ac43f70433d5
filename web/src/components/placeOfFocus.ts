/** Remembers the focused element before a layer opens. Returns a function that restores the focus. */
export function placeOfFocus(): () => void {
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
