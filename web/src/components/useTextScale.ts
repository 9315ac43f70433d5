import { useSyncExternalStore } from 'react'

/** The root font size divided by the default of 16 px. */
export function useTextScale(): number {
  return useSyncExternalStore(subscribe, textScale)
}

let held: number | null = null

/** Read once a task: to read it computes the styles of what has changed. */
export function textScale(): number {
  if (held === null) {
    held = read()
    setTimeout(() => {
      held = null
    })
  }
  return held
}

function read(): number {
  const size = Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
  return size > 0 ? size / 16 : 1
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('resize', listener)
  return () => window.removeEventListener('resize', listener)
}
