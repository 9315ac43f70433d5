/**
 * What the server's clock is ahead of ours: told by each hello, and held where ours is set while the connection goes on.
 * What only counts does not notice that ours was set, but stands still in a machine that sleeps: of the two, the date
 * that comes with the feed's changes says which it was.
 */

/** By less our clock is corrected, not set: which of the two it was does not matter to the minutes shown. */
const SET_BY_MS = 1000

export interface ClockWorld {
  /** Ours, ms since the epoch. */
  readonly now: () => number
  /** Counts on whatever our clock is set to, in ms. */
  readonly steady: () => number
}

export class ServerClock {
  readonly #world: ClockWorld
  #offsetMs = 0
  /** How far our clock was ahead of what counts, when last we looked. */
  #aheadMs = 0

  constructor(world: ClockWorld) {
    this.#world = world
    this.#aheadMs = world.now() - world.steady()
  }

  /** What to add to our own clock. */
  get offsetMs(): number {
    return this.#offsetMs
  }

  /** A hello. */
  told(serverTimeMs: number): void {
    const now = this.#world.now()
    this.#offsetMs = serverTimeMs - now
    this.#aheadMs = now - this.#world.steady()
  }

  /** A date of the feed, of a moment ago; tells whether the offset is another one now. */
  check(dateMs: number): boolean {
    const now = this.#world.now()
    const aheadMs = now - this.#world.steady()
    const setByMs = aheadMs - this.#aheadMs
    if (Math.abs(setByMs) < SET_BY_MS) {
      return false
    }
    this.#aheadMs = aheadMs
    const byDateMs = dateMs - now
    const wasSet = Math.abs(this.#offsetMs - setByMs - byDateMs) < Math.abs(this.#offsetMs - byDateMs)
    if (wasSet) {
      this.#offsetMs -= setByMs
    }
    return wasSet
  }
}
