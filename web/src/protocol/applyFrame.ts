/**
 * The messages of the hub applied to the offer: pure, one after the other, as docs/protocol.md says. A change of a
 * revision already had is ignored, one that follows another than the held revision shows a gap; what shows that
 * something was lost becomes a wish to resync.
 */
import type { Match, MatchId, MatchParts, Movement, OddId, Offer, Part, Side, SportId } from '../domain/offer'
import { type OfferChanges, OfferDraft } from '../domain/offerChanges'
import type {
  DetailMessage,
  MatchCheckMessage,
  OfferMessage,
  PartChangeMessage,
  SportCheckMessage,
  ToldMatch,
} from './frames'
import { changePart, dropDetail, dropMatch, MisfitError, type PartName, replaceMarkets } from './parts'

export interface DeletedMatch {
  readonly id: MatchId
  readonly sportId: SportId
  readonly home: string | null
  readonly away: string | null
}

export interface Goal {
  readonly matchId: MatchId
  readonly side: Side
}

export interface Applied {
  readonly changes: OfferChanges
  /** The odds that moved, each once. */
  readonly movements: readonly (readonly [OddId, Movement])[]
  readonly goals: readonly Goal[]
  readonly deletedMatches: readonly DeletedMatch[]
  /** The newest feed date among the messages. */
  readonly dateMs: number | null
  /** The matches to be told anew. */
  readonly resync: readonly MatchId[]
  /** Everything is to be told anew. */
  readonly resyncAll: boolean
}

const NOBODY: ReadonlySet<MatchId> = new Set()

/** Applies messages in their order; `watched` are the matches whose detail is wanted. */
export function applyMessages(
  offer: Offer,
  messages: readonly OfferMessage[],
  watched: ReadonlySet<MatchId> = NOBODY,
): Applied {
  const applying = new Applying(offer, watched)
  for (const message of messages) {
    applying.apply(message)
  }
  return applying.result()
}

/** Forgets the detail of a match. */
export function forgetDetail(offer: Offer, matchId: MatchId): OfferChanges {
  const draft = new OfferDraft(offer)
  const match = draft.matches.get(matchId)
  const parts = draft.parts.get(matchId)
  if (match && parts?.detail) {
    dropDetail(draft, match, parts)
  }
  return draft.changes()
}

class Applying {
  readonly #draft: OfferDraft
  readonly #watched: ReadonlySet<MatchId>
  readonly #movements = new Map<OddId, Movement>()
  readonly #goals: Goal[] = []
  readonly #deleted: DeletedMatch[] = []
  readonly #resync = new Set<MatchId>()
  readonly #sportsNamed = new Set<SportId>()
  #resyncAll = false
  #dateMs: number | null = null

  constructor(offer: Offer, watched: ReadonlySet<MatchId>) {
    this.#draft = new OfferDraft(offer)
    this.#watched = watched
  }

  apply(message: OfferMessage): void {
    switch (message.kind) {
      case 'match':
        return this.#match(message.match)
      case 'rowChange':
        return this.#change('row', message)
      case 'detailChange':
        return this.#change('detail', message)
      case 'matchDeleted':
        return this.#delete(message.matchId)
      case 'sport':
        return this.#draft.sports.set(message.sport.id, message.sport)
      case 'sportRemoved':
        return this.#removeSport(message.sportId)
      case 'goal':
        return this.#goal(message)
      case 'detail':
        return this.#detail(message)
      case 'sportCheck':
        return this.#checkSport(message)
      case 'matchCheck':
        return this.#checkMatch(message)
      case 'date':
        this.#dateMs = Math.max(this.#dateMs ?? 0, message.dateMs)
    }
  }

  result(): Applied {
    // A sport may be told after its first match; one that is not told at all was lost.
    const unknownSport = [...this.#sportsNamed].some((id) => !this.#draft.sports.get(id))
    return {
      changes: this.#draft.changes(),
      movements: [...this.#movements],
      goals: this.#goals,
      deletedMatches: this.#deleted,
      dateMs: this.#dateMs,
      resync: [...this.#resync],
      resyncAll: this.#resyncAll || unknownSport,
    }
  }

  #match({ markets, rowRevision, detailRevision: _, ball: __, ...told }: ToldMatch): void {
    const parts = this.#draft.parts.get(told.id)
    if (parts && rowRevision < parts.row.revision) {
      return
    }
    const held = this.#draft.matches.get(told.id)
    this.#sportsNamed.add(told.sportId)
    this.#resync.delete(told.id)
    const before = this.#valuesOf(held)
    const { match, marks } = replaceMarkets(this.#draft, { ...bare(held), ...told }, 'row', markets)
    this.#draft.matches.set(match.id, match)
    this.#draft.parts.set(match.id, {
      id: match.id,
      row: { revision: rowRevision, marks },
      detail: parts?.detail ?? null,
    })
    this.#showMoved(before)
  }

  #detail({ matchId, revision, layout, markets, ball }: DetailMessage): void {
    const held = this.#draft.matches.get(matchId)
    const parts = this.#draft.parts.get(matchId)
    if (!(held && parts)) {
      this.#resync.add(matchId)
      return
    }
    if (!this.#watched.has(matchId) || (parts.detail && revision < parts.detail.revision)) {
      return
    }
    const before = this.#valuesOf(held)
    const { match, marks } = replaceMarkets(this.#draft, held, 'detail', markets)
    this.#draft.matches.set(matchId, { ...match, layout, ball })
    this.#draft.parts.set(matchId, { ...parts, detail: { revision, marks } })
    this.#showMoved(before)
  }

  #change(name: PartName, { matchId, follows, change }: PartChangeMessage): void {
    const match = this.#draft.matches.get(matchId)
    const parts = this.#draft.parts.get(matchId)
    if (!(match && parts)) {
      this.#resync.add(matchId)
      return
    }
    const part = parts[name]
    if (part === null || follows < part.revision) {
      return
    }
    if (follows > part.revision) {
      this.#resync.add(matchId)
      return
    }
    try {
      const marks = changePart(this.#draft, match, name, change)
      this.#draft.parts.set(matchId, withPart(parts, name, { revision: follows + 1, marks }))
      for (const [id, movement] of Object.entries(marks)) {
        this.#movements.set(Number(id), movement)
      }
    } catch (error) {
      if (!(error instanceof MisfitError)) {
        throw error
      }
      this.#resync.add(matchId)
    }
  }

  #delete(matchId: MatchId): void {
    this.#resync.delete(matchId)
    const match = this.#draft.matches.get(matchId)
    if (match) {
      dropMatch(this.#draft, match)
      this.#deleted.push({ id: match.id, sportId: match.sportId, home: match.home, away: match.away })
    }
  }

  #removeSport(sportId: SportId): void {
    this.#draft.sports.delete(sportId)
    for (const match of this.#matchesOf(sportId)) {
      this.#delete(match.id)
    }
  }

  #goal({ matchId, side }: Goal): void {
    if (this.#draft.matches.get(matchId)) {
      this.#goals.push({ matchId, side })
    }
  }

  #checkSport({ sportId, matches, sum }: SportCheckMessage): void {
    const own = this.#matchesOf(sportId)
    const ownSum = own.reduce((total, { id }) => (total + (this.#draft.parts.get(id)?.row.revision ?? 0)) % 2 ** 32, 0)
    if (own.length !== matches || ownSum !== sum) {
      this.#resyncAll = true
    }
  }

  #checkMatch({ matchId, rowRevision, detailRevision }: MatchCheckMessage): void {
    const parts = this.#draft.parts.get(matchId)
    if (parts?.row.revision !== rowRevision || (parts.detail && parts.detail.revision !== detailRevision)) {
      this.#resync.add(matchId)
    }
  }

  #matchesOf(sportId: SportId): Match[] {
    return this.#draft.matches.rows().filter((match) => match.sportId === sportId)
  }

  #valuesOf(match: Match | undefined): ReadonlyMap<OddId, number> {
    const values = new Map<OddId, number>()
    for (const marketId of [...(match?.rowMarketIds ?? []), ...(match?.detailMarketIds ?? [])]) {
      for (const oddId of this.#draft.markets.get(marketId)?.oddIds ?? []) {
        values.set(oddId, this.#draft.odds.get(oddId)?.value ?? 0)
      }
    }
    return values
  }

  /** Of a part told whole, the odds whose price is not the one held. */
  #showMoved(before: ReadonlyMap<OddId, number>): void {
    for (const [id, value] of before) {
      const now = this.#draft.odds.get(id)?.value
      if (now !== undefined && now !== value) {
        this.#movements.set(id, now > value ? 1 : -1)
      }
    }
  }
}

/** What a match keeps when its row is told whole: its detail. */
function bare(held: Match | undefined): Pick<Match, 'rowMarketIds' | 'detailMarketIds' | 'layout' | 'ball'> {
  return held ?? { rowMarketIds: [], detailMarketIds: [], layout: null, ball: null }
}

function withPart(parts: MatchParts, name: PartName, part: Part): MatchParts {
  return name === 'row' ? { ...parts, row: part } : { ...parts, detail: part }
}
