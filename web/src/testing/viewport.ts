import type { DetachedWindowAPI } from 'happy-dom'

/** Makes the window so wide: media queries follow. */
export function widen(width: number): void {
  const { happyDOM } = window as unknown as { happyDOM: DetachedWindowAPI }
  happyDOM.setViewport({ width, height: 900 })
}
