/** Where an arrow key, Home or End leads in a list that goes round; null for other keys. */
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

/** Moves the focus among the buttons of a list by such a key; whether it was one. */
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

/** A ref for what is to have the focus as soon as it is there. */
export function focusAtOnce(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true })
}
