/** Ends things after a time: one timer, however many prices move, and one notice for all that end together. */

/** What ends within so short a time ends together: each end asks every cell in sight whether it is meant. */
const TOGETHER_MS = 100

export class Expiries<Key> {
  readonly #lifeMs: number
  readonly #expired: (keys: Key[]) => void
  /** In the order of their end, because all live equally long; by a monotonic clock. */
  readonly #ends = new Map<Key, number>()
  #timer: ReturnType<typeof setTimeout> | null = null

  constructor(lifeMs: number, expired: (keys: Key[]) => void) {
    this.#lifeMs = lifeMs
    this.#expired = expired
  }

  has(key: Key): boolean {
    return this.#ends.has(key)
  }

  /** Begins a life, or begins it again. */
  start(key: Key): void {
    this.#ends.delete(key)
    this.#ends.set(key, performance.now() + this.#lifeMs)
    this.#timer ??= setTimeout(() => this.#end(), this.#lifeMs)
  }

  delete(key: Key): void {
    this.#ends.delete(key)
  }

  clear(): void {
    this.#ends.clear()
    if (this.#timer !== null) {
      clearTimeout(this.#timer)
      this.#timer = null
    }
  }

  #end(): void {
    this.#timer = null
    const now = performance.now()
    const ended: Key[] = []
    for (const [key, end] of this.#ends) {
      if (end > now + TOGETHER_MS) {
        this.#timer = setTimeout(() => this.#end(), end - now)
        break
      }
      ended.push(key)
    }
    for (const key of ended) {
      this.#ends.delete(key)
    }
    if (ended.length > 0) {
      this.#expired(ended)
    }
  }
}
