/**
 * What of the view stands in the URL: the main state has an empty one, an opened match is `?match=17`, a page beside the
 * list `?view=bets`; both together are a match opened from that page, or a page that leads back to the match. Links that
 * are given away are shorter to read (`/match/17`, `/sport/1,5`, `/ticket/…`): the server leads from them to these.
 */
import type { MatchId, SportId } from '../../domain/offer'

/** The list, the list of the favourites, and what is no list of matches. */
export const PAGES = ['list', 'favourites', 'bets', 'login', 'register'] as const
export type Page = (typeof PAGES)[number]

/** Sports one link may name: more than there are. */
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

/** The sports a link filters the list by (`?sport=1,5`); null where it says nothing of them. */
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
