import type { SportGroup, TournamentGroup } from '../../platform/offer/offerSelectors'
import { shownList } from './shownList'

export interface League extends Pick<TournamentGroup, 'leagueId' | 'name' | 'description'> {
  readonly matchCount: number
}

const leaguesByGroup = new WeakMap<SportGroup, readonly League[]>()

/** The leagues of a sport in the order of the list, each with the number of its matches. */
export function leaguesOf(group: SportGroup): readonly League[] {
  let leagues = leaguesByGroup.get(group)
  if (!leagues) {
    const counts = new Map<string, League>()
    // By time, a league can have several headings.
    for (const { leagueId, name, description, matchIds } of group.tournaments) {
      const matchCount = (counts.get(leagueId)?.matchCount ?? 0) + matchIds.length
      counts.set(leagueId, { leagueId, name, description, matchCount })
    }
    leagues = [...counts.values()]
    leaguesByGroup.set(group, leagues)
  }
  return leagues
}

/** How many frames the heading may take to be mounted. */
const FRAMES_MAX = 20

/** Scrolls the list to the heading of a league and moves the focus there. */
export function goToLeague(leagueId: string): void {
  const shown = shownList()
  for (const sport of shown?.layout.sports ?? []) {
    const item = sport.items.find((each) => each.kind === 'tournament' && each.tournament.leagueId === leagueId)
    const head = shown?.element.querySelector<HTMLElement>(`[data-sport-id="${sport.sportId}"] [data-sport-head]`)
    if (shown && item && head) {
      const stickyTop = Number.parseFloat(getComputedStyle(head).top) || 0
      const top = shown.element.getBoundingClientRect().top + sport.top + item.top
      window.scrollBy(0, top - stickyTop - head.offsetHeight)
      focusHeading(shown.element, item.key, FRAMES_MAX)
      return
    }
  }
}

function focusHeading(list: HTMLElement, key: string, frames: number): void {
  const row = [...list.querySelectorAll<HTMLElement>('[data-item]')].find(({ dataset }) => dataset['item'] === key)
  if (row) {
    row.querySelector<HTMLElement>('button')?.focus({ preventScroll: true })
  } else if (frames > 0) {
    requestAnimationFrame(() => focusHeading(list, key, frames - 1))
  }
}
