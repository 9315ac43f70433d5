/**
 * The offset between the server's clock and ours. Each hello sets it; it is corrected when our clock is set meanwhile.
 * A jump between our clock and the steady one means that ours was set, or that the computer slept, as the steady clock
 * stops during sleep. The date in the feed's messages decides which of the two it was.
 */

/** A smaller jump is ignored, as it does not change the displayed minutes. */
const SET_BY_MS = 1000

export interface ClockWorld {
  /** Our clock, ms since the epoch. */
  readonly now: () => number
  /** A monotonic clock in ms. Setting the system time does not affect it. */
  readonly steady: () => number
}

export class ServerClock {
  readonly #world: ClockWorld
  #offsetMs = 0
  /** Our clock minus the steady clock at the last check. */
  #aheadMs = 0

  constructor(world: ClockWorld) {
    this.#world = world
    this.#aheadMs = world.now() - world.steady()
  }

  /** Add this to our clock to get the server's time. */
  get offsetMs(): number {
    return this.#offsetMs
  }

  /** Sets the offset from the server time of a hello. */
  told(serverTimeMs: number): void {
    const now = this.#world.now()
    this.#offsetMs = serverTimeMs - now
    this.#aheadMs = now - this.#world.steady()
  }

  /** Checks the offset against a recent date of the feed. Returns whether the offset changed. */
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
