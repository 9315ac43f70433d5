import { type RefObject, useCallback, useEffect, useRef, useSyncExternalStore } from 'react'
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

/** The part of the list on the screen, in pixels from its top. */
interface Sight {
  top: number
  height: number
}

/**
 * Follows the page's scroll position over the list, while it is shown: what it had mounted is there when it is shown again.
 * The list is measured when the page scrolls and after it was shown, never while it renders: that would lay out the page once
 * more.
 */
export function useListWindow(list: RefObject<HTMLElement | null>, isShown: boolean): ListWindow {
  // A list that appears mounts what is in sight, and the rest in steps.
  const margin = useInSteps(0, STEP, MARGIN)
  const sight = useRef<Sight>({ top: 0, height: window.innerHeight })
  const render = useRef(() => {})
  const measure = useCallback(() => {
    if (list.current && isSeen(list.current)) {
      sight.current = { top: -list.current.getBoundingClientRect().top, height: window.innerHeight }
      render.current()
    }
  }, [list])
  const subscribe = useCallback(
    (listener: () => void) => {
      render.current = listener
      window.addEventListener('scroll', measure, { passive: true })
      window.addEventListener('resize', measure)
      return () => {
        render.current = () => {}
        window.removeEventListener('scroll', measure)
        window.removeEventListener('resize', measure)
      }
    },
    [measure],
  )
  useEffect(() => {
    if (isShown) {
      measure()
    }
  }, [isShown, measure])
  const snapshot = () => {
    const { top, height } = sight.current
    return `${Math.floor((top - margin) / STEP)} ${Math.ceil((top + height + margin) / STEP)}`
  }
  const [from = 0, to = 0] = useSyncExternalStore(subscribe, snapshot).split(' ').map(Number)
  return { from: from * STEP, to: to * STEP }
}
