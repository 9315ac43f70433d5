/** The order of the list that the user chooses: of the sports, of the leagues in a sport, and of the matches. */
import { isBeforeKickOff, kickOffMinute } from '../../domain/kickOff'
import { byOrder, type Match, type MatchId, type SportId } from '../../domain/offer'
import { remember } from '../../domain/sharing'
import { lookup, type Table } from '../../domain/table'
import { timeLeft } from '../../domain/timeLeft'
import type { Sort } from '../preferences/preferencesSlice'
import { provideOwnOrder, type SportGroup, type TournamentGroup } from './offerSelectors'

/** How often the order by time of play follows the clocks while no match changes. */
const MINUTE_MS = 60_000

const ordered = remember(
  (
    groups: readonly SportGroup[],
    matches: Table<Match> | null,
    sort: Sort,
    sportOrder: readonly SportId[],
    pinned: readonly string[],
    minute: number,
  ) =>
    inSportOrder(groups, sportOrder).map((group) =>
      withPinsFirst(
        matches && sort !== 'league' ? sortedGroup(group, matches, sort, minute * MINUTE_MS) : group,
        pinned,
      ),
    ),
)

provideOwnOrder((groups, { matches, dateMs }, { sort, sportOrder, pinnedLeagues }) => {
  const byTime = sort === 'played' || sort === 'start'
  const minute = byTime ? Math.floor((dateMs ?? 0) / MINUTE_MS) : 0
  return ordered(groups, sort === 'league' ? null : matches, sort, sportOrder, pinnedLeagues, minute)
})

/** The sports in the user's order. Sports that are not in it follow in the order of the offer. */
function inSportOrder(groups: readonly SportGroup[], order: readonly SportId[]): readonly SportGroup[] {
  const rank = ({ sportId }: SportGroup) => (order.includes(sportId) ? order.indexOf(sportId) : order.length)
  return [...groups].sort((a, b) => rank(a) - rank(b))
}

/** Pinned leagues first. Both parts keep their order. */
function withPinsFirst(group: SportGroup, pinned: readonly string[]): SportGroup {
  const isPinned = ({ leagueId }: TournamentGroup) => pinned.includes(leagueId)
  if (pinned.length === 0 || !group.tournaments.some(isPinned)) {
    return group
  }
  const { tournaments } = group
  return {
    ...group,
    tournaments: [...tournaments.filter(isPinned), ...tournaments.filter((each) => !isPinned(each))],
  }
}

/** The matches by time or odds. Each sequence of matches of one league is a group, so a league can have several. */
function sortedGroup(
  group: SportGroup,
  matches: Table<Match>,
  sort: Exclude<Sort, 'league'>,
  nowMs: number,
): SportGroup {
  const rows = group.tournaments
    .flatMap((tournament) =>
      tournament.matchIds.flatMap((id) => {
        const match = lookup(matches, id)
        return match ? [{ tournament, match, key: keyOf(match, sort, nowMs) }] : []
      }),
    )
    .sort((a, b) => compare(a.key, b.key) || byOrder(a.match, b.match))
  const tournaments: (TournamentGroup & { matchIds: MatchId[] })[] = []
  for (const { tournament, match } of rows) {
    const last = tournaments.at(-1)
    if (last?.leagueId === tournament.leagueId) {
      last.matchIds.push(match.id)
    } else {
      tournaments.push({ ...tournament, key: `${tournament.key}${match.id}`, matchIds: [match.id] })
    }
  }
  return { ...group, tournaments }
}

const OVER = ['ended', 'abandoned']

/** Matches with nearly as many odds keep their order, as the numbers change all the time. */
const ODDS_STEP = 10

/**
 * By time of play the match that ends soonest is first; by kick-off the next one to start; by odds the one with most of
 * them. Ended ones are last.
 */
function keyOf(match: Match, sort: Exclude<Sort, 'league'>, nowMs: number): readonly number[] {
  const status = match.status ?? ''
  const isPlayed = sort === 'played'
  if (OVER.includes(status)) {
    return [2]
  }
  if (sort === 'odds') {
    return [0, -Math.floor(match.numberOfOdds / ODDS_STEP)]
  }
  if (isBeforeKickOff(match)) {
    return [isPlayed ? 1 : 0, kickOffMinute(match) ?? Number.MAX_SAFE_INTEGER]
  }
  const left = timeLeft(match, nowMs)
  return isPlayed ? [0, left] : [1, -left]
}

function compare(a: readonly number[], b: readonly number[]): number {
  const place = a.findIndex((figure, index) => figure !== b[index])
  return place < 0 ? 0 : (a[place] ?? 0) - (b[place] ?? 0)
}
