/**
 * Where everything in the list stands. All heights are known, so positions are arithmetic: nothing is measured while
 * scrolling, nothing jumps when a row is mounted, and a row above the window that comes or goes can be made up for to
 * the pixel. The numbers are those of `styles/tokens.css` at a text size of 16 px.
 */
import type { Screen } from '../../components/useScreen'
import type { MatchId, SportId } from '../../domain/offer'
import type { SportGroup, TournamentGroup } from '../../platform/offer/offerSelectors'

interface Heights {
  readonly head: number
  readonly tournament: number
  /** Of a heading that has no match below it into which its press area can reach. */
  readonly bareTournament: number
  readonly match: number
  readonly hidden: number
  readonly gap: number
}

const WIDE: Heights = { head: 56, tournament: 28, bareTournament: 28, match: 56, hidden: 36, gap: 12 }
const PHONE: Heights = { head: 52, tournament: 28, bareTournament: 44, match: 138, hidden: 44, gap: 10 }
/** From 640 px on a phone's row has its odds beside the names. */
const WIDE_PHONE: Heights = { ...PHONE, match: 80 }

interface Place {
  readonly key: string
  /** From the top of its sport. */
  readonly top: number
  readonly height: number
  /** As a row of the sport's grid, from 1. */
  readonly rowIndex: number
}

export type ListItem = Place &
  (
    | { readonly kind: 'tournament'; readonly tournament: TournamentGroup; readonly isFolded: boolean }
    | { readonly kind: 'match' | 'hidden'; readonly matchId: MatchId }
  )

export interface SportLayout {
  readonly sportId: SportId
  readonly matchCount: number
  readonly collapsed: boolean
  /** From the top of the list. */
  readonly top: number
  readonly height: number
  readonly items: readonly ListItem[]
}

export interface ListLayout {
  readonly sports: readonly SportLayout[]
  readonly height: number
}

export interface ListLayoutInput {
  readonly groups: readonly SportGroup[]
  readonly collapsed: Readonly<Record<SportId, true>>
  /** The leagues that are folded to their headings. */
  readonly folded?: Readonly<Record<string, true>>
  readonly hidden: Readonly<Record<MatchId, true>>
  readonly screen: Screen
  /** Whether a phone's row has room for its odds beside the names. */
  readonly isWidePhone?: boolean
  /** The size of the text against 16 px. */
  readonly scale: number
}

export function listLayout({
  groups,
  collapsed,
  folded = {},
  hidden,
  screen,
  isWidePhone = false,
  scale,
}: ListLayoutInput): ListLayout {
  const heights = scaled(screen !== 'phone' ? WIDE : isWidePhone ? WIDE_PHONE : PHONE, scale)
  const sports: SportLayout[] = []
  let top = 0
  for (const group of groups) {
    const isCollapsed = collapsed[group.sportId] === true
    const items = isCollapsed ? [] : itemsOf(group, folded, hidden, heights)
    const last = items.at(-1)
    const height = last ? last.top + last.height : heights.head
    sports.push({
      sportId: group.sportId,
      matchCount: group.matchCount,
      collapsed: isCollapsed,
      top,
      height,
      items,
    })
    top += height + heights.gap
  }
  return { sports, height: top }
}

function itemsOf(
  group: SportGroup,
  folded: Readonly<Record<string, true>>,
  hidden: Readonly<Record<MatchId, true>>,
  heights: Heights,
): ListItem[] {
  const items: ListItem[] = []
  let top = heights.head
  const place = (key: string, height: number): Place => {
    const placed = { key, top, height, rowIndex: items.length + 1 }
    top += height
    return placed
  }
  for (const tournament of group.tournaments) {
    const isFolded = folded[tournament.leagueId] === true
    const isBare = isFolded || hidden[tournament.matchIds[0] ?? 0] === true
    const height = isBare ? heights.bareTournament : heights.tournament
    items.push({ ...place(`t${tournament.key}`, height), kind: 'tournament', tournament, isFolded })
    if (isFolded) {
      continue
    }
    for (const matchId of tournament.matchIds) {
      const kind = hidden[matchId] ? 'hidden' : 'match'
      items.push({ ...place(`m${matchId}`, heights[kind]), kind, matchId })
    }
  }
  return items
}

function scaled(heights: Heights, scale: number): Heights {
  return {
    head: heights.head * scale,
    tournament: heights.tournament * scale,
    bareTournament: heights.bareTournament * scale,
    match: heights.match * scale,
    hidden: heights.hidden * scale,
    gap: heights.gap * scale,
  }
}

/** Something that stands in the list, to find it again when the list has changed around it. */
export interface Anchor {
  readonly sportId: SportId
  readonly key: string | null
  readonly top: number
}

/** What stands at a height of the list or below it, nearest first. */
export function anchorsAt(layout: ListLayout, height: number, atMost = 12): Anchor[] {
  const anchors: Anchor[] = []
  for (const sport of layout.sports) {
    if (sport.top + sport.height <= height) {
      continue
    }
    if (sport.top >= height) {
      anchors.push({ sportId: sport.sportId, key: null, top: sport.top })
    }
    for (const item of sport.items) {
      if (sport.top + item.top >= height) {
        anchors.push({ sportId: sport.sportId, key: item.key, top: sport.top + item.top })
      }
      if (anchors.length >= atMost) {
        return anchors
      }
    }
  }
  return anchors
}

/** Where that stands now, or null where it has gone. */
export function findAnchor(layout: ListLayout, anchor: Anchor): number | null {
  const sport = layout.sports.find(({ sportId }) => sportId === anchor.sportId)
  if (!sport) {
    return null
  }
  if (anchor.key === null) {
    return sport.top
  }
  const item = sport.items.find(({ key }) => key === anchor.key)
  return item ? sport.top + item.top : null
}
