/**
 * Limits resync requests: one at a time for each match, with a pause. A skipped request comes back with the next
 * change.
 */
import type { MatchId } from '../../domain/offer'

/** Above this number of matches, one resync of everything is requested instead. */
const FEW = 20
const MATCH_AGAIN_MS = 1000
const ALL_AGAIN_MS = 3000

/** The key for a resync of everything; no match has this id. */
const ALL = -1

export class Resyncs {
  readonly #resync: (matchId: MatchId | null) => Promise<void>
  readonly #now: () => number
  /** The time from which each resync may be requested again; infinity while one is running. */
  #againMs = new Map<number, number>()

  /** `now` must be a monotonic clock in ms. */
  constructor(resync: (matchId: MatchId | null) => Promise<void>, now: () => number) {
    this.#resync = resync
    this.#now = now
  }

  wish({ resync, resyncAll }: { readonly resync: readonly MatchId[]; readonly resyncAll: boolean }): void {
    if (resyncAll || resync.length > FEW) {
      this.#ask(ALL, ALL_AGAIN_MS)
      return
    }
    for (const matchId of resync) {
      this.#ask(matchId, MATCH_AGAIN_MS)
    }
  }

  /** Forgets all requests, because their connection is closed. */
  clear(): void {
    this.#againMs = new Map()
  }

  #ask(key: number, pauseMs: number): void {
    const againMs = this.#againMs
    if ((againMs.get(key) ?? 0) > this.#now()) {
      return
    }
    againMs.set(key, Number.POSITIVE_INFINITY)
    const done = () => {
      againMs.set(key, this.#now() + pauseMs)
    }
    this.#resync(key === ALL ? null : key).then(done, done)
  }
}
