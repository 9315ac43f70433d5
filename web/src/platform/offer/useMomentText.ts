import type { Match } from '../../domain/offer'
import { useClockText } from '../clock/useClockText'
import { statusLeads, useStatusLabel } from './matchStatus'

/** Where a match is, in a word: its clock, or its status where the clock says less than that, or nothing. */
export function useMomentText(match: Pick<Match, 'sportId' | 'status' | 'clock'>): string | null {
  const clock = useClockText(match)
  const status = useStatusLabel(match.status)
  return statusLeads(match.sportId, clock, status) ? (status?.short ?? clock) : clock
}
