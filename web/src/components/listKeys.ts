/** The new index after an arrow key, Home or End in a list that wraps around; null for other keys. */
export function placeByKey(key: string, place: number, count: number): number | null {
  switch (key) {
    case 'ArrowDown':
    case 'ArrowRight':
      return (place + 1) % count
    case 'ArrowUp':
    case 'ArrowLeft':
      return (place - 1 + count) % count
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}

/** Moves the focus among the buttons of a list. Returns whether the key was handled. */
export function moveAmongButtons(list: Element, key: string): boolean {
  const buttons: HTMLElement[] = [...list.querySelectorAll('button')]
  const place = buttons.indexOf(document.activeElement as HTMLElement)
  const next = placeByKey(key, Math.max(place, 0), buttons.length)
  if (next === null) {
    return false
  }
  buttons[next]?.focus()
  return true
}

/** A ref that focuses the element when it is mounted. */
export function focusAtOnce(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true })
}
