/**
 * A small reference server for docs/protocol.md: it changes an offer at random and sends the changes. Tests compare the
 * client's offer with it while messages are lost, duplicated and delayed.
 */
import { rowMarketIds } from '../domain/columns'
import type { Movement, Pair } from '../domain/offer'
import { checkSum } from '../protocol/applyFrame'
import type {
  MatchFields,
  OfferMessage,
  PartChange,
  ToldMarket,
  ToldMatch,
  ToldOdd,
  ToldOffer,
} from '../protocol/frames'
import { aColumn, aMarket, aMatch, anOdd, aSport, aTotalColumn } from './builders'

/** Chooses a number. In tests fast-check provides it, so that failures can be shrunk and reproduced. */
export type Choose = (below: number) => number

type Part = 'row' | 'detail'

interface LiveMatch {
  match: ToldMatch
  row: number
  detail: number
}

const COLUMNS = [aColumn(), aTotalColumn()]
const { matches: _, ...SPORT } = aSport({ id: 1, preferred: COLUMNS })

export class ReferenceServer {
  readonly #choose: Choose
  readonly #matches = new Map<number, LiveMatch>()
  /** Revisions keep increasing when a match is inserted again, so old messages cannot apply to it. */
  readonly #lastRevisions = new Map<number, number>()
  #lastId = 100

  constructor(choose: Choose, matches = 2) {
    this.#choose = choose
    for (let index = 0; index < matches; index += 1) {
      this.#insert(this.#id())
    }
  }

  matchIds(): number[] {
    return [...this.#matches.keys()]
  }

  /** The answer of `GET live/offer?view=rows`. */
  offer(): ToldOffer {
    const matches = [...this.#matches.values()].map((live) => rowOf(live))
    return { sports: matches.length > 0 ? [{ ...SPORT, matches }] : [], dateMs: 0 }
  }

  /** The answer of `GET live/match/{id}`; undefined if there is no such match. */
  match(id: number): ToldMatch | undefined {
    const live = this.#matches.get(id)
    return live && { ...live.match, rowRevision: live.row, detailRevision: live.detail }
  }

  /** Makes a random change. Returns the messages for it. */
  step(): OfferMessage[] {
    const ids = this.matchIds()
    const id = ids[this.#choose(Math.max(1, ids.length))]
    const live = id === undefined ? undefined : this.#matches.get(id)
    const what = this.#choose(12)
    if (!live || what === 0) {
      return this.#come()
    }
    if (what === 1) {
      return this.#leave(live)
    }
    return this.#update(live)
  }

  /** The checksums sent every 5 s, for every sport ever seen, including removed ones. */
  checks(): OfferMessage[] {
    const matches = [...this.#matches.values()]
    const sum = checkSum(matches.map((live) => [live.match.id, live.row]))
    return [
      { kind: 'sportCheck', sportId: SPORT.id, matches: matches.length, sum },
      ...matches.map(
        (live) =>
          ({ kind: 'matchCheck', matchId: live.match.id, rowRevision: live.row, detailRevision: live.detail }) as const,
      ),
    ]
  }

  /** The answer to `resync` of a match. */
  resync(id: number): OfferMessage[] {
    const live = this.#matches.get(id)
    return live ? [{ kind: 'match', match: rowOf(live) }, detailOf(live)] : [{ kind: 'matchDeleted', matchId: id }]
  }

  /** The answer to `resync` of everything. */
  resyncAll(): OfferMessage[] {
    const ids = this.matchIds()
    if (ids.length === 0) {
      return [{ kind: 'sportRemoved', sportId: SPORT.id }]
    }
    return [{ kind: 'sport', sport: SPORT, matchIds: ids }, ...ids.flatMap((id) => this.resync(id))]
  }

  #id(): number {
    this.#lastId += 1
    return this.#lastId
  }

  #insert(id: number): LiveMatch {
    const markets = Array.from({ length: 1 + this.#choose(4) }, () => this.#market())
    const revision = (this.#lastRevisions.get(id) ?? 0) + 1
    const live = {
      match: withMarkets(aMatch({ id, markets, betting: true }), markets),
      row: revision,
      detail: revision,
    }
    this.#matches.set(id, live)
    return live
  }

  #come(): OfferMessage[] {
    const former = [...this.#lastRevisions.keys()].filter((id) => !this.#matches.has(id))
    const id = former[this.#choose(former.length + 2)] ?? this.#id()
    const first = this.#matches.size === 0
    const live = this.#insert(id)
    return [
      ...(first ? [{ kind: 'sport', sport: SPORT, matchIds: null } as const] : []),
      { kind: 'match', match: rowOf(live) },
    ]
  }

  #leave(live: LiveMatch): OfferMessage[] {
    const { id } = live.match
    this.#matches.delete(id)
    this.#lastRevisions.set(id, Math.max(live.row, live.detail))
    const last = this.#matches.size === 0
    return [
      { kind: 'matchDeleted', matchId: id },
      ...(last ? [{ kind: 'sportRemoved', sportId: SPORT.id } as const] : []),
    ]
  }

  #update(live: LiveMatch): OfferMessage[] {
    const before = live.match
    const markets = this.#changedMarkets(before.markets)
    const fields = this.#changedFields()
    live.match = withMarkets({ ...before, ...fields }, markets)
    const messages: OfferMessage[] = []
    for (const part of ['row', 'detail'] as const) {
      const change = this.#difference(part, before, live.match, part === 'row' ? fields : {})
      if (change) {
        const kind = part === 'row' ? 'rowChange' : 'detailChange'
        messages.push({ kind, matchId: before.id, follows: live[part], change })
        live[part] += 1
      }
    }
    return messages
  }

  #difference(part: Part, before: ToldMatch, now: ToldMatch, fields: MatchFields): PartChange | null {
    const [old, next] = [marketsOf(part, before), marketsOf(part, now)]
    const sameIds = sameOrder(old, next)
    const fresh = next.filter((market) => {
      const held = old.find(({ id }) => id === market.id)
      return !held || !sameShape(held, market)
    })
    const oldOdds = new Map(old.flatMap((market) => market.odds).map((odd) => [odd.id, odd]))
    const change = {
      markets: sameIds && fresh.length === 0 ? null : { order: sameIds ? null : next.map(({ id }) => id), told: fresh },
      prices: [] as [number, number][],
      marks: [] as [number, Movement | 0][],
      values: [],
      fields,
      layout: part === 'detail' && !sameOrder(before.markets, now.markets) ? now.markets.map(({ id }) => id) : null,
      ball: undefined,
    }
    let place = 0
    for (const market of next) {
      for (const odd of market.odds) {
        const held = oldOdds.get(odd.id)
        if (!fresh.includes(market) && held) {
          if (held.value !== odd.value) {
            change.prices.push([place, odd.value])
          }
          if (odd.changed !== Math.sign(odd.value - held.value)) {
            change.marks.push([place, odd.changed])
          }
        }
        place += 1
      }
    }
    const wasMarked = [...oldOdds.values()].some((odd) => odd.changed !== 0)
    const empty = change.markets === null && change.prices.length + change.marks.length === 0 && change.layout === null
    return empty && !wasMarked && Object.keys(fields).length === 0 ? null : change
  }

  #changedMarkets(markets: readonly ToldMarket[]): ToldMarket[] {
    const moved: ToldMarket[] = markets.map((market) => ({
      ...market,
      odds: market.odds.map((odd) => this.#changedOdd(odd)),
    }))
    const at = this.#choose(moved.length + 1)
    switch (this.#choose(9)) {
      case 0:
        moved.splice(at, 0, this.#market())
        break
      case 1:
        moved.splice(at, 1)
        break
      case 2:
        moved.reverse()
        break
      case 3: {
        // Another line becomes the balanced one, so a market moves from the row to the detail.
        const market = moved[at]
        if (market) {
          moved[at] = { ...market, balanced: !market.balanced }
        }
        break
      }
      case 4: {
        const market = moved[at]
        if (market) {
          moved[at] = { ...market, odds: [...market.odds.slice(1), this.#odd()] }
        }
        break
      }
      case 5: {
        const market = moved[at]
        if (market) {
          moved[at] = { ...market, isSuspended: !market.isSuspended }
        }
        break
      }
      default:
    }
    return moved
  }

  #changedOdd(odd: ToldOdd): ToldOdd {
    if (this.#choose(3) > 0) {
      return { ...odd, changed: 0 }
    }
    const value = 1000 + this.#choose(5000)
    // Sometimes the feed's movement mark differs from the price change.
    const changed = this.#choose(6) === 0 ? 0 : (Math.sign(value - odd.value) as Movement | 0)
    return { ...odd, value, changed }
  }

  #changedFields(): MatchFields {
    switch (this.#choose(5)) {
      case 0:
        return { score: [this.#choose(9), this.#choose(9)] as Pair }
      case 1:
        return { suspended: this.#choose(2) === 0 }
      case 2:
        return { clock: { kind: 'running', zeroMs: this.#choose(1000) }, status: 'second_half' }
      default:
        return {}
    }
  }

  #market(): ToldMarket {
    const type = this.#choose(2) === 0 ? 1 : 18
    return aMarket({ id: this.#id(), type, odds: [this.#odd(), this.#odd()], balanced: this.#choose(3) === 0 })
  }

  #odd(): ToldOdd {
    return anOdd({ id: this.#id(), value: 1000 + this.#choose(5000) })
  }
}

function withMarkets(match: ToldMatch, markets: readonly ToldMarket[]): ToldMatch {
  return { ...match, markets }
}

function marketsOf(part: Part, match: ToldMatch): ToldMarket[] {
  const row = new Set(rowMarketIds(COLUMNS, match.status, match.markets))
  return match.markets.filter((market) => row.has(market.id) === (part === 'row'))
}

function rowOf({ match, row, detail }: LiveMatch): ToldMatch {
  return { ...match, markets: marketsOf('row', match), rowRevision: row, detailRevision: detail }
}

function detailOf({ match, detail }: LiveMatch): OfferMessage {
  const layout = match.markets.map(({ id }) => id)
  return {
    kind: 'detail',
    matchId: match.id,
    revision: detail,
    layout,
    markets: marketsOf('detail', match),
    ball: null,
  }
}

function sameOrder(a: readonly { id: number }[], b: readonly { id: number }[]): boolean {
  return a.length === b.length && a.every(({ id }, index) => id === b[index]?.id)
}

function sameShape(a: ToldMarket, b: ToldMarket): boolean {
  return a.balanced === b.balanced && a.isSuspended === b.isSuspended && sameOrder(a.odds, b.odds)
}
