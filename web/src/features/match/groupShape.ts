/** How the markets of one kind are laid out in their card. */
import { isHiddenOdd } from '../../domain/oddsFormat'
import type { Market, MarketId, MatchId, Odd, OddId } from '../../domain/offer'
import { oddLabel } from '../offer/oddLabel'
import { selectMarket, selectMatch, selectOdd } from '../offer/offerSelectors'

type State = Parameters<typeof selectOdd>[0]

export interface Line {
  readonly marketId: MarketId
  readonly sbv: string
  readonly balanced: boolean
  /** One a heading; null where the line does not have it. */
  readonly oddIds: readonly (OddId | null)[]
}

export interface GroupShape {
  /** Lines of several values below common headings; or one market after the other, each with its value above. */
  readonly kind: 'ladder' | 'lists'
  /** What the values of the lines are. */
  readonly values: 'handicap' | 'line'
  readonly headings: readonly string[]
  readonly lines: readonly Line[]
  readonly note: string | null
}

/** More odds in a line than these do not stand beside each other. */
const LADDER_ODDS_MAX = 3

/** A lead, as goals (`0:1`) or as a figure with a sign. */
const HANDICAP = /^[+-]|:/

/** Lines of which no odd is to be shown are left out; null where none is left. */
export function selectGroupShape(state: State, matchId: MatchId, marketIds: readonly MarketId[]): GroupShape | null {
  const numberOfOdds = selectMatch(state, matchId)?.numberOfOdds ?? 0
  const shown: { market: Market; odds: Odd[] }[] = []
  for (const id of marketIds) {
    const market = selectMarket(state, id)
    const odds = market?.oddIds.map((oddId) => selectOdd(state, oddId)).filter((odd) => odd !== undefined) ?? []
    if (market && odds.some((odd) => !isHiddenOdd(odd.value, numberOfOdds))) {
      shown.push({ market, odds })
    }
  }
  const [first] = shown
  if (!first) {
    return null
  }
  const isLadder =
    shown.length > 1 && shown.every(({ market, odds }) => market.sbv !== null && odds.length <= LADDER_ODDS_MAX)
  const headings = first.odds.map(oddLabel)
  return {
    kind: isLadder ? 'ladder' : 'lists',
    values: shown.some(({ market }) => HANDICAP.test(market.sbv ?? '')) ? 'handicap' : 'line',
    headings: isLadder ? headings : [],
    lines: shown.map(({ market, odds }) => ({
      marketId: market.id,
      sbv: market.sbv ?? '',
      balanced: market.balanced === true && shown.length > 1,
      oddIds: isLadder
        ? headings.map((heading) => odds.find((odd) => oddLabel(odd) === heading)?.id ?? null)
        : market.oddIds,
    })),
    note: first.market.description,
  }
}

/** How many columns the odds of a market stand in. */
export function columnsFor(odds: number): 1 | 2 | 3 {
  if (odds === 1) {
    return 1
  }
  return odds === 2 || odds === 4 ? 2 : 3
}

/** About how high a card is, in lines: columns are filled by it. */
export function selectWeights(
  state: State,
  groups: readonly { readonly marketIds: readonly MarketId[] }[],
): readonly number[] {
  return groups.map(({ marketIds }) => {
    const odds = marketIds.map((id) => selectMarket(state, id)?.oddIds.length ?? 0)
    const isLadder = marketIds.length > 1 && odds.every((count) => count <= LADDER_ODDS_MAX)
    return isLadder ? 1.7 + odds.length : odds.reduce((sum, count) => sum + Math.ceil(count / columnsFor(count)), 1.3)
  })
}

/** The cards in two columns, in their order, each put where less stands so far. */
export function inTwoColumns<T>(items: readonly T[], weights: readonly number[]): readonly [T[], T[]] {
  const columns: [T[], T[]] = [[], []]
  const heights: [number, number] = [0, 0]
  items.forEach((item, place) => {
    const column = heights[0] <= heights[1] ? 0 : 1
    columns[column].push(item)
    heights[column] += weights[place] ?? 1
  })
  return columns
}
