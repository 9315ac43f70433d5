import { useEffect, useState } from 'react'
import { afterPaint } from './answerFirst'

/** The value of the last paint. Expensive work that uses it does not delay the display of the new value. */
export function useOncePainted<Value>(value: Value): Value {
  const [painted, setPainted] = useState(value)
  useEffect(() => {
    if (value !== painted) {
      afterPaint(() => setPainted(value))
    }
  }, [value, painted])
  return painted
}
