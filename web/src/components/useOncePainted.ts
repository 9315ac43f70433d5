import { useEffect, useState } from 'react'
import { afterPaint } from './answerFirst'

/** The value that was painted last: what takes long to make of it does not keep the value itself from being shown. */
export function useOncePainted<Value>(value: Value): Value {
  const [painted, setPainted] = useState(value)
  useEffect(() => {
    if (value !== painted) {
      afterPaint(() => setPainted(value))
    }
  }, [value, painted])
  return painted
}
