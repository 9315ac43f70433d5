import type { Match } from '../../domain/offer'

/** Instead of a name that the feed does not have. */
const NO_NAME = '–'

export function teamName(name: string | null): string {
  return name || NO_NAME
}

/** Both teams, as a match is called. */
export function matchName(match: Pick<Match, 'home' | 'away'>): string {
  return [match.home, match.away].filter(Boolean).join(' – ') || NO_NAME
}
