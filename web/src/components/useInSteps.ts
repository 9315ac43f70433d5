import { useEffect, useState } from 'react'

/** After the paint of what the step before has brought. */
const STEP_AFTER_MS = 60

/** A number that grows to its end in steps, between which the page can answer: for how much of something is mounted. */
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
