/**
 * What of the view stands in the URL: the main state has an empty one, an opened match is `?match=17`, a page beside the
 * list `?view=bets`; both together are a match opened from that page, or a page that leads back to the match.
 */
import type { MatchId } from '../../domain/offer'

/** The list, the list of the favourites, and what is no list of matches. */
export const PAGES = ['list', 'favourites', 'bets', 'login', 'register'] as const
export type Page = (typeof PAGES)[number]

export interface LinkedView {
  readonly matchId: MatchId | null
  readonly page: Page
}

export function readUrl(search: string): LinkedView {
  const query = new URLSearchParams(search)
  const text = query.get('match') ?? ''
  const matchId = Number(text)
  return {
    matchId: /^\d+$/.test(text) && Number.isSafeInteger(matchId) ? matchId : null,
    page: PAGES.find((page) => page === query.get('view')) ?? 'list',
  }
}

export function hrefOf({ matchId, page }: LinkedView): string {
  const query = [page !== 'list' && `view=${page}`, matchId !== null && `match=${matchId}`].filter(Boolean)
  return query.length === 0 ? '/' : `/?${query.join('&')}`
}
