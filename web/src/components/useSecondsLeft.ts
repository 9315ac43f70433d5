import { useEffect, useState } from 'react'

/** The whole seconds until a time, counted down to 0. */
export function useSecondsLeft(untilMs: number): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 200)
    return () => clearInterval(timer)
  }, [])
  return Math.max(0, Math.ceil((untilMs - now) / 1000))
}
