/**
 * Replaces or changes the two parts of a match, its row and its detail. When a market moves between the parts, both
 * parts report it, in any order. Therefore a market is deleted only when neither part lists it.
 */
import type { Market, MarketId, Match, MatchId, MatchParts, Movement, Odd, OddId, Part } from '../domain/offer'
import type { OfferDraft } from '../domain/offerChanges'
import type { MatchFields, PartChange, ToldMarket } from './frames'
import { marketOf, oddOf } from './normalise'

export type PartName = 'row' | 'detail'

/** A change that does not fit the client's data: the match needs a resync. */
export class MisfitError extends Error {
  override readonly name = 'MisfitError'
}

const LIST = { row: 'rowMarketIds', detail: 'detailMarketIds' } as const

/** Replaces all markets of a part. Returns its movement marks. */
export function replaceMarkets(
  draft: OfferDraft,
  match: Match,
  name: PartName,
  markets: readonly ToldMarket[],
): { match: Match; marks: Part['marks'] } {
  for (const market of markets) {
    putMarket(draft, match.id, market)
  }
  const ids = markets.map((market) => market.id)
  return { match: withMarketIds(draft, match, name, ids), marks: marksOf(markets) }
}

/** Applies a change to a part. The caller has checked the revision. Throws {@link MisfitError}. */
export function changePart(draft: OfferDraft, match: Match, name: PartName, change: PartChange): Part['marks'] {
  let next = match
  if (change.markets) {
    next = changeMarkets(draft, next, name, change.markets)
  }
  const marks: Record<OddId, Movement> = { ...marksOf(change.markets?.told ?? []) }
  if (change.prices.length + change.marks.length + change.values.length > 0) {
    changeOdds(draft, oddIdsOf(draft, next[LIST[name]]), change, marks)
  }
  next = withFields(next, change.fields)
  if (name === 'detail' && (change.layout !== null || change.ball !== undefined)) {
    next = { ...next, layout: change.layout ?? next.layout, ball: change.ball === undefined ? next.ball : change.ball }
  }
  draft.matches.set(match.id, next)
  return marks
}

/** Returns the same object if no field has a new value, so that nothing renders again. */
function withFields(match: Match, fields: MatchFields): Match {
  const names = Object.keys(fields) as (keyof MatchFields)[]
  return names.every((name) => sameValue(match[name], fields[name])) ? match : { ...match, ...fields }
}

function changeMarkets(
  draft: OfferDraft,
  match: Match,
  name: PartName,
  { order, told }: NonNullable<PartChange['markets']>,
): Match {
  const ids = order ?? match[LIST[name]]
  const named = new Set(ids)
  for (const market of told) {
    if (!named.has(market.id)) {
      throw new MisfitError('a market is told that the part does not name')
    }
    putMarket(draft, match.id, market)
  }
  if (!ids.every((id) => draft.markets.get(id))) {
    throw new MisfitError('the part names a market that is not held')
  }
  return order ? withMarketIds(draft, match, name, order) : match
}

function changeOdds(
  draft: OfferDraft,
  oddIds: readonly OddId[],
  change: PartChange,
  marks: Record<OddId, Movement>,
): void {
  const at = (place: number): Odd => {
    const odd = draft.odds.get(oddIds[place] ?? -1)
    if (!odd) {
      throw new MisfitError('no odd at this place')
    }
    return odd
  }
  for (const [place, value] of change.prices) {
    const odd = at(place)
    mark(marks, odd.id, Math.sign(value - odd.value) as Movement | 0)
    draft.odds.set(odd.id, { ...odd, value })
  }
  for (const [place, changed] of change.marks) {
    mark(marks, at(place).id, changed)
  }
  for (const [place, values] of change.values) {
    const odd = at(place)
    draft.odds.set(odd.id, { ...odd, values })
  }
}

function mark(marks: Record<OddId, Movement>, id: OddId, changed: Movement | 0): void {
  if (changed === 0) {
    delete marks[id]
  } else {
    marks[id] = changed
  }
}

function marksOf(markets: readonly ToldMarket[]): Part['marks'] {
  const marks: Record<OddId, Movement> = {}
  for (const market of markets) {
    for (const odd of market.odds) {
      mark(marks, odd.id, odd.changed)
    }
  }
  return marks
}

function oddIdsOf(draft: OfferDraft, marketIds: readonly MarketId[]): OddId[] {
  return marketIds.flatMap((id) => draft.markets.get(id)?.oddIds ?? [])
}

function putMarket(draft: OfferDraft, matchId: MatchId, told: ToldMarket): void {
  const held = draft.markets.get(told.id)
  const market = marketOf(told, matchId)
  for (const id of held?.oddIds ?? []) {
    if (!market.oddIds.includes(id)) {
      draft.odds.delete(id)
    }
  }
  for (const odd of told.odds) {
    setOdd(draft, oddOf(odd, told.id))
  }
  draft.markets.set(market.id, held && sameMarket(held, market) ? held : market)
}

/** Stores an odd. An odd without a new value keeps its object, so that components do not render again. */
function setOdd(draft: OfferDraft, odd: Odd): void {
  const held = draft.odds.get(odd.id)
  draft.odds.set(odd.id, held && sameFields(held, odd, ['values']) && sameList(held.values, odd.values) ? held : odd)
}

function sameMarket(held: Market, told: Market): boolean {
  return (
    sameFields(held, told, ['oddIds', 'tags']) && sameList(held.oddIds, told.oddIds) && sameList(held.tags, told.tags)
  )
}

function withMarketIds(draft: OfferDraft, match: Match, name: PartName, ids: readonly MarketId[]): Match {
  const before = match[LIST[name]]
  const next: Match = sameList(before, ids) ? match : { ...match, [LIST[name]]: ids }
  dropMarkets(draft, next, before)
  return next
}

/** Deletes those of the markets that neither part of the match lists. */
function dropMarkets(draft: OfferDraft, match: Match, ids: readonly MarketId[]): void {
  for (const id of ids) {
    if (!match.rowMarketIds.includes(id) && !match.detailMarketIds.includes(id)) {
      for (const oddId of draft.markets.get(id)?.oddIds ?? []) {
        draft.odds.delete(oddId)
      }
      draft.markets.delete(id)
    }
  }
}

/** Deletes a match with its markets, odds and parts. */
export function dropMatch(draft: OfferDraft, match: Match): void {
  const bare: Match = { ...match, rowMarketIds: [], detailMarketIds: [] }
  dropMarkets(draft, bare, [...match.rowMarketIds, ...match.detailMarketIds])
  draft.matches.delete(match.id)
  draft.parts.delete(match.id)
}

/** Deletes the detail of a match. */
export function dropDetail(draft: OfferDraft, match: Match, parts: MatchParts): void {
  const bare: Match = { ...match, detailMarketIds: [], layout: null, ball: null }
  dropMarkets(draft, bare, match.detailMarketIds)
  draft.matches.set(match.id, bare)
  draft.parts.set(match.id, { ...parts, detail: null })
}

function sameList(a: readonly unknown[] | null, b: readonly unknown[] | null): boolean {
  return a === b || (a !== null && b !== null && a.length === b.length && a.every((item, index) => item === b[index]))
}

/** Whether all fields of `b`, except those in `but`, have the same values in `a`. */
function sameFields<T extends object>(a: T, b: T, but: readonly (keyof T)[] = []): boolean {
  return (Object.keys(b) as (keyof T)[]).every((key) => but.includes(key) || sameValue(a[key], b[key]))
}

/** Deep comparison, for the small arrays and objects of scores, clocks and balls. */
function sameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) {
    return true
  }
  return typeof a === 'object' && typeof b === 'object' && a !== null && b !== null && sameNested(a, b)
}

function sameNested(a: object, b: object): boolean {
  const keys = Object.keys(b)
  return (
    keys.length === Object.keys(a).length &&
    keys.every((key) => sameValue(a[key as keyof object], b[key as keyof object]))
  )
}
