/** Which presses of a key are the page's own, and not of what is typed, or of what lies in front of it. */

/** Nothing is held beside it; Shift may be, for some keyboards need it for a sign. */
export function isPlainKey(event: Pick<KeyboardEvent, 'ctrlKey' | 'altKey' | 'metaKey'>): boolean {
  return !event.ctrlKey && !event.altKey && !event.metaKey
}

/** From where letters act: not from where they are typed, and not from what lies in front of the list. */
export function isOfList(target: EventTarget | null): boolean {
  if (
    !(target instanceof Element) ||
    target.closest('input, select, textarea, dialog, [role="dialog"], [role="menu"], [role="listbox"]')
  ) {
    return false
  }
  return target === document.body || target.closest('main') !== null
}

/** Whether a dialog lies in front of the page. */
export function isCovered(): boolean {
  return document.querySelector('dialog[open], [aria-modal="true"]') !== null
}
