/** Decides which key events are shortcuts of the page, not text input and not meant for a dialog in front of it. */

/** Whether no modifier is held. Shift is allowed, because some keyboard layouts need it for punctuation. */
export function isPlainKey(event: Pick<KeyboardEvent, 'ctrlKey' | 'altKey' | 'metaKey'>): boolean {
  return !event.ctrlKey && !event.altKey && !event.metaKey
}

/** Whether single-letter shortcuts apply to this target: not in text fields and not in front of the list. */
export function isOfList(target: EventTarget | null): boolean {
  if (
    !(target instanceof Element) ||
    target.closest('input, select, textarea, dialog, [role="dialog"], [role="menu"], [role="listbox"]')
  ) {
    return false
  }
  return target === document.body || target.closest('main') !== null
}

/** Whether a dialog is open in front of the page. */
export function isCovered(): boolean {
  return document.querySelector('dialog[open], [aria-modal="true"]') !== null
}
