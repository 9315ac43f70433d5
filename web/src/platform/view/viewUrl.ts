/**
 * Converts the view to the URL and back. The list has no query, a match is `?match=17`, another page is `?view=bets`.
 * Both together are a match opened from that page, or a page that leads back to the match. The server redirects the
 * short links for sharing (`/match/17`, `/sport/1,5`, `/ticket/…`) to these.
 */
import type { MatchId, SportId } from '../../domain/offer'

/** The pages that are lists of matches: a match is opened from one of them. */
const LISTS = ['list', 'favourites', 'soon', 'starting', 'ended'] as const
/** All pages. */
export const PAGES = [...LISTS, 'bets', 'statement', 'login', 'register'] as const
export type Page = (typeof PAGES)[number]
/** The pages that filter all matches by time: decided soon, starting soon, just ended. */
export type FilterPage = 'soon' | 'starting' | 'ended'

export function isListPage(page: Page): page is (typeof LISTS)[number] {
  return (LISTS as readonly Page[]).includes(page)
}

/** The most sports in a link; more than there are. */
const SPORTS_MAX = 50

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

/** The sports filter of a link (`?sport=1,5`); null if it has none. */
export function readSports(search: string): readonly SportId[] | null {
  const ids = new URLSearchParams(search)
    .get('sport')
    ?.split(',')
    .filter((text) => /^\d{1,15}$/.test(text))
  return ids?.length ? [...new Set(ids.map(Number))].slice(0, SPORTS_MAX) : null
}

export function hrefOf({ matchId, page }: LinkedView): string {
  const query = [page !== 'list' && `view=${page}`, matchId !== null && `match=${matchId}`].filter(Boolean)
  return query.length === 0 ? '/' : `/?${query.join('&')}`
}
