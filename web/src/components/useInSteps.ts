import { useEffect, useState } from 'react'

/** The pause between steps, long enough for a paint. */
const STEP_AFTER_MS = 60

/** A number that grows to `end` in steps. Used to mount many elements without blocking the page. */
export function useInSteps(first: number, step: number, end: number): number {
  const [now, setNow] = useState(first)
  useEffect(() => {
    if (now >= end) {
      return
    }
    const timer = window.setTimeout(() => setNow(now + step), STEP_AFTER_MS)
    return () => window.clearTimeout(timer)
  }, [now, step, end])
  return now
}
