import type { DetachedWindowAPI } from 'happy-dom'
import { vi } from 'vitest'

/** Sets the width of the window, which media queries follow, and of the elements in it: nothing is laid out here. */
export function widen(width: number, elementWidth = width): void {
  const { happyDOM } = window as unknown as { happyDOM: DetachedWindowAPI }
  happyDOM.setViewport({ width, height: 900 })
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(elementWidth)
}
