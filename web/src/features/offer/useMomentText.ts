import { showsElapsedTime } from '../../domain/clock'
import type { Match } from '../../domain/offer'
import { useStatusLabel } from './matchStatus'
import { useClockText } from './useClockText'

/** Where a match is, in a word: its clock, or its status where the clock says less than that, or nothing. */
export function useMomentText(match: Pick<Match, 'sportId' | 'status' | 'clock'>): string | null {
  const clock = useClockText(match)
  const status = useStatusLabel(match.status)
  const clockLeads = clock !== null && !(showsElapsedTime(match.sportId) && status?.bracketed === false)
  return clockLeads ? clock : (status?.short ?? clock)
}
