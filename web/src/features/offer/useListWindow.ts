import { type RefObject, useCallback, useSyncExternalStore } from 'react'
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

/** Follows the page's scroll position over the list. */
export function useListWindow(list: RefObject<HTMLElement | null>): ListWindow {
  // A list that appears mounts what is in sight, and the rest in steps.
  const margin = useInSteps(0, STEP, MARGIN)
  const snapshot = useCallback(() => {
    const top = -(list.current?.getBoundingClientRect().top ?? 0)
    return `${Math.floor((top - margin) / STEP)} ${Math.ceil((top + window.innerHeight + margin) / STEP)}`
  }, [list, margin])
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
