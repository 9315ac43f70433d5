/** Something being got over HTTP until it succeeds, and what the hub says of it meanwhile, to be applied after it. */
import type { MatchId } from '../../domain/offer'
import { backoffMs } from '../../protocol/backoff'
import type { OfferMessage } from '../../protocol/frames'

export interface Patience {
  /** Between 0 and 1. */
  readonly random: () => number
  /** Resolves after a time; rejects when the signal says so. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
}

export class Fetching {
  readonly #patience: Patience
  readonly #matchId: MatchId | null
  readonly #abort = new AbortController()
  #kept: OfferMessage[] = []

  /** Of the whole offer, or of one match. */
  constructor(patience: Patience, matchId: MatchId | null = null) {
    this.#patience = patience
    this.#matchId = matchId
  }

  /** What was said since {@link forget}. */
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

  /** What was said before the question is inside the answer. */
  forget(): void {
    this.#kept = []
  }

  stop(): void {
    this.#abort.abort()
  }

  /** The result of the first attempt that succeeds; undefined where it was stopped. */
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
      // A check is of its moment: held against an answer younger than itself it would find fault where there is none.
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
