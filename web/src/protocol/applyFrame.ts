/**
 * Applies hub messages to the offer, in order, without side effects (docs/protocol.md). Ignores changes with an old
 * revision. A gap in the revisions, or a checksum that differs, becomes a resync request in the result.
 */
import type { Match, MatchId, MatchParts, Movement, OddId, Offer, Part, Side, SportId } from '../domain/offer'
import { type OfferChanges, OfferDraft } from '../domain/offerChanges'
import type {
  DetailMessage,
  MatchCheckMessage,
  OfferMessage,
  PartChangeMessage,
  SportCheckMessage,
  SportMessage,
  ToldMatch,
} from './frames'
import { matchOf } from './normalise'
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
  /** The newest history of each watched match, as it was sent. */
  readonly histories: readonly (readonly [MatchId, unknown])[]
  readonly deletedMatches: readonly DeletedMatch[]
  /** The newest feed date among the messages. */
  readonly dateMs: number | null
  /** Matches that the server must send again. */
  readonly resync: readonly MatchId[]
  /** The server must send everything again. */
  readonly resyncAll: boolean
}

const NOBODY: ReadonlySet<MatchId> = new Set()

/** Applies messages in their order. Details of matches outside `watched` are ignored. */
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

/** The checksum of a sport's matches (docs/protocol.md): it covers their ids and row revisions, modulo 2^32. */
export function checkSum(matches: readonly (readonly [id: MatchId, rowRevision: number])[]): number {
  return matches.reduce((sum, [id, revision]) => (sum + revision + Math.imul(id % 2 ** 32, 2_654_435_761)) >>> 0, 0)
}

/** The changes that remove the detail of a match. */
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
  readonly #histories = new Map<MatchId, unknown>()
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
        this.#match(message.match)
        break
      case 'rowChange':
        this.#change('row', message)
        break
      case 'detailChange':
        this.#change('detail', message)
        break
      case 'matchDeleted':
        this.#delete(message.matchId)
        break
      case 'sport':
        this.#sport(message)
        break
      case 'sportRemoved':
        this.#removeSport(message.sportId)
        break
      case 'goal':
        this.#goal(message)
        break
      case 'detail':
        this.#detail(message)
        break
      case 'sportCheck':
        this.#checkSport(message)
        break
      case 'matchCheck':
        this.#checkMatch(message)
        break
      case 'date':
        this.#dateMs = Math.max(this.#dateMs ?? 0, message.dateMs)
    }
  }

  result(): Applied {
    // A sport may arrive after its first match in the same batch. If it is still missing now, its message was lost.
    const unknownSport = [...this.#sportsNamed].some((id) => !this.#draft.sports.get(id))
    return {
      changes: this.#draft.changes(),
      movements: [...this.#movements],
      goals: this.#goals,
      histories: [...this.#histories],
      deletedMatches: this.#deleted,
      dateMs: this.#dateMs,
      resync: [...this.#resync],
      resyncAll: this.#resyncAll || unknownSport,
    }
  }

  #match(told: ToldMatch): void {
    const { rowRevision } = told
    const parts = this.#draft.parts.get(told.id)
    if (parts && rowRevision < parts.row.revision) {
      return
    }
    const held = this.#draft.matches.get(told.id)
    this.#sportsNamed.add(told.sportId)
    this.#resync.delete(told.id)
    const before = this.#valuesOf(held)
    const { match, marks } = replaceMarkets(this.#draft, matchOf(told, held), 'row', told.markets)
    this.#draft.matches.set(match.id, match)
    this.#draft.parts.set(match.id, {
      id: match.id,
      row: { revision: rowRevision, marks },
      detail: parts?.detail ?? null,
    })
    this.#showMoved(before)
  }

  #detail({ matchId, revision, layout, markets, ball, history }: DetailMessage): void {
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
    this.#histories.set(matchId, history)
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
      if (change.history !== undefined) {
        this.#histories.set(matchId, change.history)
      }
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

  #sport({ sport, matchIds }: SportMessage): void {
    this.#draft.sports.set(sport.id, sport)
    if (matchIds) {
      for (const { id } of this.#matchesOf(sport.id)) {
        if (!matchIds.includes(id)) {
          this.#delete(id)
        }
      }
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
    const revisionOf = (id: MatchId) => this.#draft.parts.get(id)?.row.revision ?? 0
    if (own.length !== matches || checkSum(own.map(({ id }) => [id, revisionOf(id)])) !== sum) {
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

  /** Records the odds whose price differs from `before`, after a part was replaced as a whole. */
  #showMoved(before: ReadonlyMap<OddId, number>): void {
    for (const [id, value] of before) {
      const now = this.#draft.odds.get(id)?.value
      if (now !== undefined && now !== value) {
        this.#movements.set(id, now > value ? 1 : -1)
      }
    }
  }
}

function withPart(parts: MatchParts, name: PartName, part: Part): MatchParts {
  return name === 'row' ? { ...parts, row: part } : { ...parts, detail: part }
}
