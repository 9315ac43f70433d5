/** Notes where the focus is, for what opens in front of the page; returns how to give it back. */
export function placeOfFocus(): () => void {
  const before = document.activeElement
  // What was pressed may be gone by then, as the ticket of a bet that was taken: then the place it was in.
  const around = before?.closest('[data-ticket], main') ?? null
  return () => {
    const back = before?.isConnected ? before : around
    if (back instanceof HTMLElement) {
      back.focus({ preventScroll: true })
    }
  }
}
