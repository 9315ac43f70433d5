/** Wishes to be told something anew, each made once at a time and not too often: the next change or check repeats it. */
import type { MatchId } from '../../domain/offer'

/** More matches than this at once are asked for together. */
const FEW = 20
const MATCH_AGAIN_MS = 1000
const ALL_AGAIN_MS = 3000

/** The key of the wish for everything; no match has it. */
const ALL = -1

export class Resyncs {
  readonly #resync: (matchId: MatchId | null) => Promise<void>
  readonly #now: () => number
  /** When each may be wished again; infinity while it is under way. */
  #againMs = new Map<number, number>()

  /** `now` is a clock that nobody sets. */
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

  /** The connection they were made on is gone. */
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
