/** What of the view stands in the URL: the main state has an empty one, an opened match is `?match=17`. */
import type { MatchId } from '../../domain/offer'

export interface LinkedView {
  readonly matchId: MatchId | null
}

export function readUrl(search: string): LinkedView {
  const text = new URLSearchParams(search).get('match') ?? ''
  const matchId = Number(text)
  return { matchId: /^\d+$/.test(text) && Number.isSafeInteger(matchId) ? matchId : null }
}

/** The address of a match's detail. */
export function matchHref(matchId: MatchId): string {
  return `/?match=${matchId}`
}

export function hrefOf({ matchId }: LinkedView): string {
  return matchId === null ? '/' : matchHref(matchId)
}
