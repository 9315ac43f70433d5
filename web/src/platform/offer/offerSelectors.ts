/**
 * What views ask of the offer. The list hands down ids, each row selects itself; what a selector builds keeps the
 * parts that did not change as the very same objects, so that no component renders without need.
 */
import { offeredColumns, shownMarket, shownOdd, shownSbv } from '../../domain/columns'
import { groupBy } from '../../domain/groupBy'
import { startsSoon } from '../../domain/kickOff'
import { isHiddenOdd } from '../../domain/oddsFormat'
import {
  byOrder,
  isBettable,
  type Market,
  type MarketId,
  type Match,
  type MatchId,
  type OddId,
  type PreferredColumn,
  type Sport,
  type SportId,
} from '../../domain/offer'
import { mayBeOutcomeId } from '../../domain/outcomeId'
import { remember, share } from '../../domain/sharing'
import { allRows, lookup, type Table } from '../../domain/table'
import { countTags, type TagCount } from '../../domain/tags'
import { selectFavourites } from '../favourites/favouritesSelectors'
import type { FavouritesState } from '../favourites/favouritesSlice'
import { type ColumnSlot, type PreferencesState, SLOTS } from '../preferences/preferencesSlice'
import type { ViewState } from '../view/viewSlice'
import type { GoalsState } from './goalsSlice'
import { selectChosenMarket } from './lineSelectors'
import type { MovementsState, OddMovement } from './movementsSlice'
import { generalLabel } from './oddLabel'
import type { OfferState } from './offerSlice'

interface State {
  readonly offer: OfferState
  readonly preferences: PreferencesState
  readonly view: ViewState
  readonly movements: MovementsState
  readonly goals: GoalsState
  readonly favourites: FavouritesState
}

export const selectOfferStatus = (state: State) => state.offer.status
/** How old what is shown is: the feed's date of it, in the server's time. */
export const selectFeedDate = (state: State) => state.offer.dateMs
export const selectMatchCount = (state: State) => state.offer.matches.size
export const selectSport = (state: State, id: SportId) => lookup(state.offer.sports, id)
export const selectMatch = (state: State, id: MatchId) => lookup(state.offer.matches, id)
export const selectMarket = (state: State, id: MarketId) => lookup(state.offer.markets, id)
export const selectOdd = (state: State, id: OddId) => lookup(state.offer.odds, id)
export const selectMovement = (state: State, id: OddId): OddMovement | undefined => lookup(state.movements, id)
export const selectGoal = (state: State, id: MatchId) => state.goals[id]

/** Whether a match can be bet on now: while the feed recovers none can. */
export function selectIsBettable(state: State, id: MatchId): boolean {
  const match = lookup(state.offer.matches, id)
  return state.offer.status === 'ready' && match !== undefined && isBettable(match)
}

/** Whether an odd is not shown at all (CONTRACT 5). */
export function selectIsHiddenOdd(state: State, matchId: MatchId, oddId: OddId): boolean {
  const match = lookup(state.offer.matches, matchId)
  const odd = lookup(state.offer.odds, oddId)
  return match === undefined || odd === undefined || isHiddenOdd(odd.value, match.numberOfOdds)
}

/** A tournament of a sport with its matches, in their order. */
export interface TournamentGroup {
  /** Unique within the sport. */
  readonly key: string
  /** The same for all groups of the league. */
  readonly leagueId: string
  readonly name: string | null
  readonly description: string | null
  readonly matchIds: readonly MatchId[]
}

export interface SportGroup {
  readonly sportId: SportId
  readonly matchCount: number
  readonly tournaments: readonly TournamentGroup[]
}

const sportGroups = remember((sports: Table<Sport>, matches: Table<Match>): readonly SportGroup[] => {
  const bySport = groupBy(allRows(matches).sort(byOrder), (match) => match.sportId)
  return allRows(sports)
    .sort(byOrder)
    .map((sport) => groupOf(sport, bySport.get(sport.id) ?? []))
    .filter((group) => group.matchCount > 0)
})

function groupOf(sport: Sport, matches: readonly Match[]): SportGroup {
  const tournaments = groupBy(matches, leagueIdOf)
  return {
    sportId: sport.id,
    matchCount: matches.length,
    tournaments: Array.from(tournaments, ([key, ofTournament]) => ({
      key,
      leagueId: key,
      name: ofTournament[0]?.tournament ?? null,
      description: ofTournament[0]?.tournamentDescription ?? null,
      matchIds: ofTournament.map((match) => match.id),
    })),
  }
}

/** The id of a match's league. The feed has none, so it is made of the names and differs between languages. */
function leagueIdOf({ sportId, tournament, tournamentDescription }: Match): string {
  return JSON.stringify([sportId, tournament, tournamentDescription])
}

/** What the order of the list depends on, besides the matches. */
export type OrderChoice = Pick<PreferencesState, 'sort' | 'sportOrder' | 'pinnedLeagues'>
export type ListOrder = (
  groups: readonly SportGroup[],
  offer: Pick<OfferState, 'matches' | 'dateMs'>,
  choice: OrderChoice,
) => readonly SportGroup[]

let ownOrder: ListOrder = (groups) => groups

/** Sets the order that the user can choose. Its code is loaded with the live offer, so before there are matches. */
export function provideOwnOrder(order: ListOrder): void {
  ownOrder = order
}

/**
 * The whole offer by sport and tournament, in the order that the user has chosen. By league, a tournament stands where
 * its first match does; its other matches join it there, so that each heading comes once, and the groups change with the
 * matches and their order, never with a price or a score.
 */
export const selectSportGroups = ({ offer, preferences }: State) =>
  ownOrder(sportGroups(offer.sports, offer.matches), offer, preferences)

const filteredGroups = remember((groups: readonly SportGroup[], sports: readonly SportId[]) => {
  const chosen = groups.filter((group) => sports.includes(group.sportId))
  // A filter for sports that are not in the offer now would show an empty page.
  return chosen.length > 0 ? chosen : groups
})

/** Whether the list is not filtered by sport: none is chosen, or none of those chosen is in the offer now. */
export function selectHasAllSports(state: State): boolean {
  const { sports } = state.preferences
  const groups = selectSportGroups(state)
  return sports.length === 0 || (groups.length > 0 && !groups.some(({ sportId }) => sports.includes(sportId)))
}

/** The groups with these matches alone, without those that have none of them. */
function groupsWith(groups: readonly SportGroup[], has: (id: MatchId) => boolean): readonly SportGroup[] {
  return groups.flatMap((group) => {
    const tournaments = group.tournaments.flatMap((tournament) => {
      const matchIds = tournament.matchIds.filter(has)
      return matchIds.length > 0 ? [{ ...tournament, matchIds }] : []
    })
    const matchCount = tournaments.reduce((sum, { matchIds }) => sum + matchIds.length, 0)
    return matchCount > 0 ? [{ ...group, tournaments, matchCount }] : []
  })
}

const favouriteGroups = remember((groups: readonly SportGroup[], favourites: ReadonlySet<MatchId>) =>
  groupsWith(groups, (id) => favourites.has(id)),
)

const startingGroups = remember((groups: readonly SportGroup[], matches: Table<Match>, minute: number) =>
  groupsWith(groups, (id) => {
    const match = lookup(matches, id)
    return match !== undefined && startsSoon(match, minute * MINUTE_MS)
  }),
)

const MINUTE_MS = 60_000

/** The sports of the list: the chosen ones, or all; of the favourites and of matches that start soon, those that have some. */
export function selectShownGroups(state: State): readonly SportGroup[] {
  const { page } = state.view
  const groups = selectSportGroups(state)
  if (page === 'favourites') {
    return favouriteGroups(groups, selectFavourites(state))
  }
  const filtered = filteredGroups(groups, state.preferences.sports)
  return page === 'starting'
    ? startingGroups(filtered, state.offer.matches, Math.floor((state.offer.dateMs ?? 0) / MINUTE_MS))
    : filtered
}

const favouriteMatches = remember(
  (groups: readonly SportGroup[], favourites: ReadonlySet<MatchId>): readonly MatchId[] =>
    groups.flatMap(({ tournaments }) =>
      tournaments.flatMap(({ matchIds }) => matchIds.filter((id) => favourites.has(id))),
    ),
)

/** The favourites that are in the offer, in the list's order. */
export const selectFavouriteMatches = (state: State) =>
  favouriteMatches(selectSportGroups(state), selectFavourites(state))

export interface SportSummary {
  readonly id: SportId
  readonly name: string | null
  readonly matchCount: number
}

const summaries = remember((groups: readonly SportGroup[], sports: Table<Sport>): readonly SportSummary[] =>
  groups.map(({ sportId, matchCount }) => ({
    id: sportId,
    name: lookup(sports, sportId)?.name ?? null,
    matchCount,
  })),
)

/** All sports with how many matches each has: the rail. */
export const selectSportSummaries = (state: State) => summaries(selectSportGroups(state), state.offer.sports)

const offeredBySport = new WeakMap<Sport, readonly PreferredColumn[]>()

/** The columns a sport's selector offers. */
export function selectColumns(state: State, sportId: SportId): readonly PreferredColumn[] {
  const sport = selectSport(state, sportId)
  if (!sport) {
    return NO_COLUMNS
  }
  let columns = offeredBySport.get(sport)
  if (!columns) {
    columns = offeredColumns(sport.preferred)
    offeredBySport.set(sport, columns)
  }
  return columns
}

const NO_COLUMNS: readonly PreferredColumn[] = []

/**
 * The column a slot of a sport's rows shows: the bettor's choice while the sport has it, else the sport's own; a
 * further slot shows the first column that none before it does.
 */
export function selectColumn(state: State, sportId: SportId, slot: ColumnSlot): PreferredColumn | undefined {
  const columns = selectColumns(state, sportId)
  const chosen = state.preferences.columns[sportId]?.[slot] ?? null
  const kept = chosen === null ? undefined : columns.find((column) => column.order === chosen)
  if (kept) {
    return kept
  }
  if (slot === 0) {
    const own = selectSport(state, sportId)?.selectedPreferred ?? null
    return columns.find((column) => column.order === own) ?? columns[0]
  }
  const before = SLOTS.slice(0, slot).map((other) => selectColumn(state, sportId, other))
  return columns.find((column) => !before.includes(column))
}

/** What a column shows in a row. */
export interface Cells {
  readonly marketId: MarketId | null
  /** The line beside the odds, or nothing. */
  readonly sbv: string
  /** One a heading. */
  readonly oddIds: readonly (OddId | null)[]
}

/** A new object at each call: compare by {@link sameCells}. */
export function selectCells(state: State, matchId: MatchId, column: PreferredColumn | undefined): Cells {
  const match = selectMatch(state, matchId)
  if (!match || !column) {
    return NO_CELLS
  }
  const markets = match.rowMarketIds.map((id) => selectMarket(state, id)).filter(isPresent)
  const balanced = shownMarket(column, match.status, markets)
  const market = selectChosenMarket(state, match, balanced) ?? balanced
  const odds = market?.oddIds.map((id) => selectOdd(state, id)).filter(isPresent) ?? []
  return {
    marketId: market?.id ?? null,
    sbv: market ? shownSbv(column, match.status, market) : '',
    oddIds: column.fields.map((field) => shownOdd(field, odds)?.id ?? null),
  }
}

const NO_CELLS: Cells = { marketId: null, sbv: '', oddIds: [] }

export function sameCells(a: Cells, b: Cells): boolean {
  return (
    a.marketId === b.marketId &&
    a.sbv === b.sbv &&
    a.oddIds.length === b.oddIds.length &&
    a.oddIds.every((id, index) => id === b.oddIds[index])
  )
}

interface FieldLabels {
  /** The matches that were searched for missing labels. */
  readonly searched: Table<Match>
  readonly found: readonly (string | undefined)[]
  readonly labels: readonly string[]
}

const labelsByColumn = new WeakMap<PreferredColumn, FieldLabels>()

/**
 * The headings of a column: its fields, or the labels of the odds they show where they are outcome ids. A label that was
 * found stays, so that headings do not change with the matches.
 */
export function selectFieldLabels(state: State, sportId: SportId, column: PreferredColumn): readonly string[] {
  const { matches } = state.offer
  const known = labelsByColumn.get(column)
  if (known && (known.searched === matches || !known.found.includes(undefined))) {
    return known.labels
  }
  const found = column.fields.map((field, place) => known?.found[place] ?? (mayBeOutcomeId(field) ? undefined : field))
  for (const match of found.includes(undefined) ? allRows(matches) : []) {
    if (match.sportId === sportId && found.includes(undefined)) {
      selectCells(state, match.id, column).oddIds.forEach((id, place) => {
        const odd = id === null ? undefined : selectOdd(state, id)
        const field = column.fields[place]
        found[place] ??= odd && (odd.type === field ? generalLabel(odd, match) : field)
      })
    }
  }
  const labels = share(
    known?.labels,
    column.fields.map((field, place) => found[place] ?? field),
  )
  labelsByColumn.set(column, { searched: matches, found, labels })
  return labels
}

function isPresent<T>(value: T | undefined): value is T {
  return value !== undefined
}

/** How many odds a match has beyond those that its row shows with this number of sets. */
export function selectMoreOdds(state: State, matchId: MatchId, sets: number): number {
  const match = selectMatch(state, matchId)
  if (!match) {
    return 0
  }
  const markets = match.rowMarketIds.map((id) => selectMarket(state, id)).filter(isPresent)
  const shown = SLOTS.slice(0, sets).reduce<number>((sum, slot) => {
    const column = selectColumn(state, match.sportId, slot)
    const market = column && shownMarket(column, match.status, markets)
    return sum + (market ? Math.min(column.fields.length, market.oddIds.length) : 0)
  }, 0)
  return Math.max(0, match.numberOfOdds - shown)
}

/** Markets of one kind: one line, or the ladder of its lines. */
export interface MarketGroup {
  readonly key: string
  /** The type of its markets. */
  readonly type: number
  readonly name: string | null
  /** In the feed's order. */
  readonly marketIds: readonly MarketId[]
}

function layoutMarkets(match: Match | undefined, markets: Table<Market>): readonly Market[] {
  return match?.layout?.map((id) => lookup(markets, id)).filter(isPresent) ?? []
}

const marketGroups = remember(
  (match: Match | undefined, markets: Table<Market>, tag: string | null): readonly MarketGroup[] => {
    const all = layoutMarkets(match, markets)
    const tagged = tag === null ? all : all.filter((market) => market.tags.includes(tag))
    const groups = groupBy(tagged, (market) =>
      JSON.stringify([market.type, market.subtype, market.special, market.name]),
    )
    return Array.from(groups, ([key, group]) => ({
      key,
      type: group[0]?.type ?? 0,
      name: group[0]?.name ?? null,
      marketIds: group.map((market) => market.id),
    }))
  },
)

/** The markets of the opened match under its tag, in the feed's order, lines of one kind together. */
export function selectMarketGroups(state: State, matchId: MatchId): readonly MarketGroup[] {
  return marketGroups(selectMatch(state, matchId), state.offer.markets, state.view.tag)
}

const tagCounts = remember((match: Match | undefined, markets: Table<Market>): readonly TagCount[] =>
  countTags(layoutMarkets(match, markets)),
)

/** The tags of a match's markets, each with the number of odds in its markets. */
export function selectTagCounts(state: State, matchId: MatchId): readonly TagCount[] {
  return tagCounts(selectMatch(state, matchId), state.offer.markets)
}

/** Whether the detail of a match has come. */
export function selectHasDetail(state: State, matchId: MatchId): boolean {
  return (selectMatch(state, matchId)?.layout ?? null) !== null
}

const neighbours = remember((groups: readonly SportGroup[], sportId: SportId | undefined): readonly MatchId[] => {
  const group = groups.find((each) => each.sportId === sportId)
  return group?.tournaments.flatMap((tournament) => tournament.matchIds) ?? []
})

/** The matches of a match's sport, itself among them, in the list's order. */
export function selectNeighbours(state: State, matchId: MatchId): readonly MatchId[] {
  return neighbours(selectSportGroups(state), selectMatch(state, matchId)?.sportId)
}
