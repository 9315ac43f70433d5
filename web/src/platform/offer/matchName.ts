import type { Match } from '../../domain/offer'

/** Both teams, as a match is called. */
export function matchName(match: Pick<Match, 'home' | 'away'>): string {
  return [match.home, match.away].filter(Boolean).join(' – ')
}
