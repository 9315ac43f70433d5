import type { KeyboardEvent } from 'react'

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

/**
 * The index of the next text that begins with the letters, whatever their case and accents; -1 if there is no such
 * text. A single letter leads from a text that begins with it to the next one.
 */
export function placeByLetters(texts: readonly string[], place: number, letters: string): number {
  const begins = texts.map(
    (text) => !text.slice(0, letters.length).localeCompare(letters, 'en', { sensitivity: 'base' }),
  )
  const next = begins.indexOf(true, letters.length > 1 ? place : place + 1)
  return next < 0 ? begins.indexOf(true) : next
}

/** Moves the focus among the buttons of a list by the keys of `placeByKey`. Returns whether the key was handled. */
export function moveAmongButtons(list: Element, key: string): boolean {
  return focusButton(list, (place, buttons) => placeByKey(key, Math.max(place, 0), buttons.length))
}

function focusButton(list: Element, find: (place: number, buttons: HTMLElement[]) => number | null): boolean {
  const buttons: HTMLElement[] = [...list.querySelectorAll('button')]
  const next = find(buttons.indexOf(document.activeElement as HTMLElement), buttons)
  buttons[next ?? -1]?.focus()
  return next !== null
}

/** Letters typed within this time of each other belong together. */
const TOGETHER_MS = 1000

let typed = ''
let typedMs = 0

/** Handles the keys of a menu or a listbox: those of `moveAmongButtons`, and letters. Returns whether it did. */
export function moveInList(event: KeyboardEvent<HTMLElement>): boolean {
  const { currentTarget: list, key, timeStamp } = event
  if (key.length > 1 || key === ' ' || event.ctrlKey || event.altKey || event.metaKey) {
    return moveAmongButtons(list, key)
  }
  typed = key !== typed && timeStamp - typedMs < TOGETHER_MS ? typed + key : key
  typedMs = timeStamp
  return focusButton(list, (place, buttons) =>
    placeByLetters(
      buttons.map((button) => button.textContent),
      place,
      typed,
    ),
  )
}

/** A ref that focuses the element when it is mounted. */
export function focusAtOnce(element: HTMLElement | null): void {
  // Letters that were typed in another list do not count.
  typed = ''
  element?.focus({ preventScroll: true })
}
