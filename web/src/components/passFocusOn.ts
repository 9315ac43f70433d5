/**
 * For what is about to leave the page: where it has the focus, `heir` gets it, unless somebody else takes it. Without
 * that the next Tab begins at the top of the page (WCAG 2.4.3).
 */
export function passFocusOn(leaving: Element, heir: () => HTMLElement | null): void {
  if (!leaving.contains(document.activeElement)) {
    return
  }
  // When it has left.
  queueMicrotask(() => {
    if (!document.activeElement || document.activeElement === document.body) {
      heir()?.focus({ preventScroll: true })
    }
  })
}
