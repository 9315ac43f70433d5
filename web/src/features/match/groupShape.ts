/** Computes how the markets of one kind are arranged in their card. */
import { readableLine, signedLine } from '../../domain/columns'
import { isHandicap } from '../../domain/handicap'
import { isHiddenOdd } from '../../domain/oddsFormat'
import type { Market, MarketId, MatchId, Odd, OddId } from '../../domain/offer'
import { remember, share } from '../../domain/sharing'
import { lookup } from '../../domain/table'
import { hasOutcomeId, labelWithoutLine, oddLabel, oddName } from '../../platform/offer/oddLabel'
import { selectMarket, selectMatch, selectOdd } from '../../platform/offer/offerSelectors'

type State = Parameters<typeof selectOdd>[0]

export interface Line {
  readonly marketId: MarketId
  readonly sbv: string
  readonly balanced: boolean
  /** One odd per heading; null if the line does not have it. */
  readonly oddIds: readonly (OddId | null)[]
  /** The labels of the odds; empty in a ladder, which has headings instead. */
  readonly labels: readonly string[]
}

export interface GroupShape {
  /**
   * `ladder`: lines with different values below common headings; `lists`: separate markets, each with its value above.
   */
  readonly kind: 'ladder' | 'lists'
  /** The meaning of the values of the lines. */
  readonly values: 'handicap' | 'line'
  readonly headings: readonly string[]
  readonly lines: readonly Line[]
  /** Whether all its lines are suspended. */
  readonly isSuspended: boolean
  readonly note: string | null
  /** Whether it is of a provider's feed, in which its type means something else. */
  readonly isOfProvider: boolean
  /** Why it is suspended, if that is known. */
  readonly reason: string | null
}

/** The most odds per line of a ladder. */
const LADDER_ODDS_MAX = 3

/** The arrangement of the markets. Lines without a visible odd are omitted; null if none is left. */
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
  const texts = shown.map(({ market }) => readableLine(market.sbv))
  // Lines that look alike differ in a variant of the provider. The full names of their odds show it.
  const isAlike =
    new Set(texts).size < shown.length && shown.some(({ market }, place) => (market.sbv ?? '') !== texts[place])
  const isLadder =
    shown.length > 1 &&
    !isAlike &&
    shown.every(({ market, odds }) => market.sbv !== null && odds.length <= LADDER_ODDS_MAX)
  const headings = labelsOf(first.odds, labelWithoutLine)
  const isOfHandicaps = shown.some(({ market: { type, sbv }, odds }) =>
    isHandicap(
      { marketType: type, sbv },
      odds.map((odd) => ({ type: odd.type, name: oddLabel(odd) })),
    ),
  )
  const isOfProvider = first.odds.some(hasOutcomeId)
  return {
    kind: isLadder ? 'ladder' : 'lists',
    values: isOfHandicaps ? 'handicap' : 'line',
    headings: isLadder ? headings : [],
    lines: shown.map(({ market, odds }, place) => ({
      marketId: market.id,
      sbv: isOfHandicaps ? signedLine(texts[place] ?? '') : (texts[place] ?? ''),
      balanced: market.balanced === true && shown.length > 1,
      oddIds: isLadder ? below(first.odds, odds) : odds.map(({ id }) => id),
      labels: isLadder ? [] : labelsOf(odds, isAlike ? oddName : oddLabel),
    })),
    isSuspended: shown.every(({ market }) => market.isSuspended),
    note: isOfProvider ? null : first.market.description,
    // A provider has no other description, and it is only there while the market is suspended.
    reason: isOfProvider ? first.market.description : null,
    isOfProvider,
  }
}

/** The odds of a line in the order of the first one's. Equal headings take the odds in the line's order. */
function below(first: readonly Odd[], odds: readonly Odd[]): (OddId | null)[] {
  const left = columnsOf(odds).map((column, place) => ({ column, id: odds[place]?.id ?? null }))
  return columnsOf(first).map((own) => {
    const place = left.findIndex(({ column }) => column === own)
    return place < 0 ? null : (left.splice(place, 1)[0]?.id ?? null)
  })
}

/** What the odds of one column of a ladder have in common: the outcome id, or else the label. */
function columnsOf(odds: readonly Odd[]): readonly (string | null | undefined)[] {
  const labels = labelsOf(odds)
  return odds.map((odd, place) => (hasOutcomeId(odd) ? odd.type : labels[place]))
}

/**
 * The labels of the odds of a market. Equal labels get the description or the alias added, if that distinguishes them.
 */
function labelsOf(odds: readonly Odd[], labelOf: (odd: Odd) => string = oddLabel): readonly string[] {
  const labels = odds.map(labelOf)
  return labels.map((label, place) => {
    const alike = odds.filter((_, other) => labels[other] === label)
    const sign = SIGNS.find((name) => new Set(alike.map((odd) => odd[name])).size === alike.length)
    const more = alike.length > 1 && sign ? odds[place]?.[sign] : null
    return more ? `${label} (${more})` : label
  })
}

const SIGNS = ['description', 'alias'] as const

/**
 * A selector for {@link selectGroupShape} that computes only if an object of the group changed: every card runs it
 * after every change of the store.
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

/** All inputs of a shape. */
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

/** The number of columns for the odds of a market. */
export function columnsFor(odds: number): 1 | 2 | 3 {
  if (odds === 1) {
    return 1
  }
  return odds === 2 || odds === 4 ? 2 : 3
}

/**
 * The space that the longest label of a market needs beside its price. It depends only on the labels, so that nothing
 * moves when a price changes. The styles are in the card's CSS module.
 */
export type LabelRoom = 'short' | 'middle' | 'wide' | 'long' | 'full'

/** The most letters of a label for each size, in three columns. With fewer columns more letters fit. */
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

/** The estimated height of each card in lines, for balancing the columns. */
export function selectWeights(state: State, groups: Groups): readonly number[] {
  return weightsOf(state.offer.markets, groups)
}

/** Distributes the cards over two columns in order, each to the shorter column so far. */
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
