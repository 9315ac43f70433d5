/** An HTTP fetch that is repeated until it succeeds. It keeps the hub messages that must be applied to its result. */
import type { MatchId } from '../../domain/offer'
import { backoffMs } from '../../protocol/backoff'
import type { OfferMessage } from '../../protocol/frames'

export interface Patience {
  /** Between 0 and 1. */
  readonly random: () => number
  /** Resolves after `ms`. Rejects if the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
}

export class Fetching {
  readonly #patience: Patience
  readonly #matchId: MatchId | null
  readonly #abort = new AbortController()
  #kept: OfferMessage[] = []

  /** A fetch of one match, or of the whole offer if `matchId` is null. */
  constructor(patience: Patience, matchId: MatchId | null = null) {
    this.#patience = patience
    this.#matchId = matchId
  }

  /** The messages received since {@link forget}. */
  get kept(): readonly OfferMessage[] {
    return this.#kept
  }

  keep(messages: readonly OfferMessage[]): void {
    for (const message of messages) {
      if (this.#concerns(message)) {
        this.#kept.push(message)
      }
    }
  }

  /** Discards the messages so far: the answer of a request sent now already contains them. */
  forget(): void {
    this.#kept = []
  }

  stop(): void {
    this.#abort.abort()
  }

  /** The result of the first successful attempt; undefined if it was stopped. Calls `failed` after each failure. */
  async persist<T>(attempt: (signal: AbortSignal) => Promise<T>, failed?: () => void): Promise<T | undefined> {
    const { signal } = this.#abort
    for (let attempts = 0; ; attempts += 1) {
      try {
        const result = await attempt(signal)
        return signal.aborted ? undefined : result
      } catch {
        if (signal.aborted) {
          return undefined
        }
        failed?.()
      }
      try {
        await this.#patience.wait(backoffMs(attempts, this.#patience.random), signal)
      } catch {
        return undefined
      }
    }
  }

  #concerns(message: OfferMessage): boolean {
    switch (message.kind) {
      // A checksum describes the moment it was sent. Compared with a newer answer it would report a false difference.
      case 'sportCheck':
      case 'matchCheck':
        return false
      case 'match':
        return this.#matchId === null || message.match.id === this.#matchId
      default:
        return this.#matchId === null || ('matchId' in message && message.matchId === this.#matchId)
    }
  }
}
