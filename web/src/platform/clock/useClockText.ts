import { useSyncExternalStore } from 'react'
import { useAppSelector } from '../../app/hooks'
import { clockSeconds, clockText, timeLeftText } from '../../domain/clock'
import type { Match } from '../../domain/offer'
import { selectServerOffset } from '../connection/connectionSelectors'
import { selectPeriodEnd } from './periodEndsSlice'

/** Often enough that no second of a running clock is left out. */
const TICK_MS = 250

const listeners = new Set<() => void>()
let timer: number | undefined

/** One timer for all clocks in the page. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= window.setInterval(() => {
    for (const tell of listeners) {
      tell()
    }
  }, TICK_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) {
      window.clearInterval(timer)
      timer = undefined
    }
  }
}

/** A match's clock, ticking. The component renders only when the text changes: a soccer clock once a minute. */
export function useClockText(match: Pick<Match, 'sportId' | 'status' | 'clock'>): string | null {
  const offset = useAppSelector(selectServerOffset)
  return useSyncExternalStore(subscribe, () => clockText(match, Date.now() + offset))
}

/** The clock of an open match: in sports with a clock that counts down, the time left of the period. */
export function useOpenClockText(match: Pick<Match, 'id' | 'sportId' | 'status' | 'clock'>): string | null {
  const offset = useAppSelector(selectServerOffset)
  const end = useAppSelector((state) => selectPeriodEnd(state, match.id))
  return useSyncExternalStore(subscribe, () => {
    const now = Date.now() + offset
    const seconds = match.clock && clockSeconds(match.clock, now)
    return timeLeftText(match.sportId, end, seconds) ?? clockText(match, now)
  })
}
