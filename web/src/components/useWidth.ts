import { type RefObject, useLayoutEffect, useState } from 'react'
import { flushSync } from 'react-dom'

/** The width of an element in pixels, followed as it changes; null before the element is laid out. */
export function useWidth(ref: RefObject<HTMLElement | null>): number | null {
  const [width, setWidth] = useState<number | null>(null)
  // Measured before the first paint, so that nothing moves after it.
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) {
      return
    }
    const measure = () => {
      // An element that is not displayed keeps the width it had.
      if (element.clientWidth > 0) {
        setWidth(element.clientWidth)
      }
    }
    measure()
    // In the frame of the change: a frame later the columns would be seen moving.
    const observer = new ResizeObserver(() => flushSync(measure))
    observer.observe(element)
    return () => observer.disconnect()
  }, [ref])
  return width
}
