import { useEffect, useState } from 'react'
import { afterPaint } from '../components/answerFirst'

/**
 * What is shown, and until the next paint what was shown last. A view that is closed is hidden at once and removed after
 * that paint: to remove a match with its frames takes as long as to show the list.
 */
export function useLastShown<Value>(shown: Value | null): Value | null {
  const [last, setLast] = useState(shown)
  if (shown !== null && shown !== last) {
    setLast(shown)
  }
  useEffect(() => {
    if (shown !== null || last === null) {
      return
    }
    let isAgain = false
    afterPaint(() => !isAgain && setLast(null))
    return () => {
      isAgain = true
    }
  }, [shown, last])
  return shown ?? last
}
