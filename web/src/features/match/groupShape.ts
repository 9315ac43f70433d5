/** How the markets of one kind are laid out in their card. */
import { isHiddenOdd } from '../../domain/oddsFormat'
import type { Market, MarketId, MatchId, Odd, OddId } from '../../domain/offer'
import { lookup } from '../../domain/table'
import { oddLabel } from '../offer/oddLabel'
import { selectMarket, selectMatch, selectOdd } from '../offer/offerSelectors'
import { remember, share } from '../offer/sharing'

type State = Parameters<typeof selectOdd>[0]

export interface Line {
  readonly marketId: MarketId
  readonly sbv: string
  readonly balanced: boolean
  /** One a heading; null where the line does not have it. */
  readonly oddIds: readonly (OddId | null)[]
  /** What its odds are called; in a ladder the headings say it. */
  readonly labels: readonly string[]
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
  const headings = labelsOf(first.odds)
  return {
    kind: isLadder ? 'ladder' : 'lists',
    values: shown.some(({ market }) => HANDICAP.test(market.sbv ?? '')) ? 'handicap' : 'line',
    headings: isLadder ? headings : [],
    lines: shown.map(({ market, odds }) => ({
      marketId: market.id,
      sbv: market.sbv ?? '',
      balanced: market.balanced === true && shown.length > 1,
      oddIds: isLadder ? below(headings, odds) : odds.map(({ id }) => id),
      labels: isLadder ? [] : labelsOf(odds),
    })),
    note: first.market.description,
  }
}

/** The odds of a line below the headings; where a heading is there twice, in the line's order. */
function below(headings: readonly string[], odds: readonly Odd[]): (OddId | null)[] {
  const left = labelsOf(odds).map((label, place) => ({ label, id: odds[place]?.id ?? null }))
  return headings.map((heading) => {
    const place = left.findIndex(({ label }) => label === heading)
    return place < 0 ? null : (left.splice(place, 1)[0]?.id ?? null)
  })
}

/** What the odds of a market are called. Those called alike are told apart by what else the feed says of them. */
function labelsOf(odds: readonly Odd[]): readonly string[] {
  const labels = odds.map(oddLabel)
  return labels.map((label, place) => {
    const alike = odds.filter((_, other) => labels[other] === label)
    const sign = SIGNS.find((name) => new Set(alike.map((odd) => odd[name])).size === alike.length)
    const more = alike.length > 1 && sign ? odds[place]?.[sign] : null
    return more ? `${label} (${more})` : label
  })
}

const SIGNS = ['description', 'alias'] as const

/**
 * The same, worked out only where something of the group is another object: every card asks at every change of
 * anything.
 */
export function groupShapeSelector(matchId: MatchId, marketIds: readonly MarketId[]) {
  let offer: State['offer'] | undefined
  let seen: readonly unknown[] | undefined
  let shape: GroupShape | null = null
  return (state: State): GroupShape | null => {
    if (state.offer === offer) {
      return shape
    }
    offer = state.offer
    const now = partsOf(state, matchId, marketIds)
    if (now.length !== seen?.length || now.some((part, place) => part !== seen?.[place])) {
      seen = now
      shape = share(shape, selectGroupShape(state, matchId, marketIds))
    }
    return shape
  }
}

/** All that a shape is made of. */
function partsOf(state: State, matchId: MatchId, marketIds: readonly MarketId[]): readonly unknown[] {
  const parts: unknown[] = [selectMatch(state, matchId)?.numberOfOdds]
  for (const id of marketIds) {
    const market = selectMarket(state, id)
    parts.push(market)
    for (const oddId of market?.oddIds ?? []) {
      parts.push(selectOdd(state, oddId))
    }
  }
  return parts
}

/** How many columns the odds of a market stand in. */
export function columnsFor(odds: number): 1 | 2 | 3 {
  if (odds === 1) {
    return 1
  }
  return odds === 2 || odds === 4 ? 2 : 3
}

/**
 * How much room the longest label of a market needs beside its price. It goes by the labels alone, so that nothing moves
 * with a price. What each is laid out as stands in the card's styles.
 */
export type LabelRoom = 'short' | 'middle' | 'wide' | 'long' | 'full'

/** Letters, up to which a label of a third of a card needs no more; in a wider column there is room for some more. */
const LETTERS_MAX = { short: 5, middle: 9, wide: 14, long: 40 } as const
const MORE_LETTERS = { 1: 24, 2: 8, 3: 0 } as const

export function roomFor(columns: 1 | 2 | 3, labels: readonly string[]): LabelRoom {
  const letters = Math.max(0, ...labels.map((label) => label.length)) - MORE_LETTERS[columns]
  const rooms = ['short', 'middle', 'wide', 'long'] as const
  return rooms.find((room) => letters <= LETTERS_MAX[room]) ?? 'full'
}

type Groups = readonly { readonly marketIds: readonly MarketId[] }[]

const weightsOf = remember((markets: State['offer']['markets'], groups: Groups): readonly number[] =>
  groups.map(({ marketIds }) => {
    const odds = marketIds.map((id) => lookup(markets, id)?.oddIds.length ?? 0)
    const isLadder = marketIds.length > 1 && odds.every((count) => count <= LADDER_ODDS_MAX)
    return isLadder ? 1.7 + odds.length : odds.reduce((sum, count) => sum + Math.ceil(count / columnsFor(count)), 1.3)
  }),
)

/** About how high a card is, in lines: columns are filled by it. */
export function selectWeights(state: State, groups: Groups): readonly number[] {
  return weightsOf(state.offer.markets, groups)
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
