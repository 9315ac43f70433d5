import { type RefObject, useCallback, useRef, useSyncExternalStore } from 'react'
import { isSeen } from '../../components/isSeen'
import { useInSteps } from '../../components/useInSteps'

/** The part of the list to be mounted, in pixels from its top. */
export interface ListWindow {
  readonly from: number
  readonly to: number
}

/** The window moves in steps, so that most scroll events render nothing. */
const STEP = 168

/** What stays mounted beyond the edges of the screen: six rows. */
const MARGIN = 6 * 56

/** Follows the page's scroll position over the list, while it is shown: what it had mounted is there when it is shown again. */
export function useListWindow(list: RefObject<HTMLElement | null>, isShown: boolean): ListWindow {
  // A list that appears mounts what is in sight, and the rest in steps.
  const margin = useInSteps(0, STEP, MARGIN)
  const last = useRef<string | null>(null)
  const snapshot = useCallback(() => {
    // Where it lies is known once it is laid out, after the rendering that shows it again.
    const isLaidOut = isShown && list.current && isSeen(list.current)
    if (isLaidOut || last.current === null) {
      const top = -(list.current?.getBoundingClientRect().top ?? 0)
      last.current = `${Math.floor((top - margin) / STEP)} ${Math.ceil((top + window.innerHeight + margin) / STEP)}`
    }
    return last.current
  }, [list, margin, isShown])
  const [from = 0, to = 0] = useSyncExternalStore(subscribe, snapshot).split(' ').map(Number)
  return { from: from * STEP, to: to * STEP }
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('scroll', listener, { passive: true })
  window.addEventListener('resize', listener)
  return () => {
    window.removeEventListener('scroll', listener)
    window.removeEventListener('resize', listener)
  }
}
