/**
 * Collects messages until the next paint, so that there is one dispatch per paint, however many frames arrive. A hidden
 * page does not paint: there a slow timer delivers them, and showing the page delivers them at once. The low-data mode
 * uses the same timer.
 */

/** The part of the browser that is used; tests replace it. */
export interface Painting {
  readonly isHidden: () => boolean
  /** Calls back before the next paint. Returns a function that cancels it. */
  readonly beforePaint: (callback: () => void) => () => void
  readonly after: (ms: number, callback: () => void) => () => void
  /** Calls back when the page becomes visible. Returns a function that stops it. */
  readonly onShown: (callback: () => void) => () => void
}

const SLOW_MS = 1000

export class Gatherer<T> {
  readonly #painting: Painting
  readonly #take: (items: readonly T[], wasHidden: boolean) => void
  readonly #isSlow: () => boolean
  readonly #stopListening: () => void
  #items: T[] = []
  #pending: { readonly giveUp: () => void; readonly byPaint: boolean } | null = null
  /** Some of the collected items arrived while the page was hidden. */
  #wasHidden = false

  /** While `isSlow`, items are delivered at most once a second. */
  constructor(painting: Painting, take: (items: readonly T[], wasHidden: boolean) => void, isSlow = () => false) {
    this.#painting = painting
    this.#take = take
    this.#isSlow = isSlow
    this.#stopListening = painting.onShown(() => this.flush())
  }

  add(items: readonly T[]): void {
    this.#items.push(...items)
    const hidden = this.#painting.isHidden()
    this.#wasHidden ||= hidden
    if (this.#pending && !(hidden && this.#pending.byPaint)) {
      return
    }
    // The page was hidden after a paint was requested: that paint may not happen, so use the timer.
    this.#pending?.giveUp()
    const turn = () => this.flush()
    const byPaint = !hidden && !this.#isSlow()
    this.#pending = {
      giveUp: byPaint ? this.#painting.beforePaint(turn) : this.#painting.after(SLOW_MS, turn),
      byPaint,
    }
  }

  /** Delivers all items now. */
  flush(): void {
    const items = this.#items
    const wasHidden = this.#wasHidden
    this.clear()
    if (items.length > 0) {
      this.#take(items, wasHidden)
    }
  }

  /** Discards all items. */
  clear(): void {
    this.#pending?.giveUp()
    this.#pending = null
    this.#items = []
    this.#wasHidden = false
  }

  stop(): void {
    this.clear()
    this.#stopListening()
  }
}

/** The browser's implementation. */
export const PAGE: Painting = {
  isHidden: () => document.hidden,
  beforePaint: (callback) => {
    const frame = requestAnimationFrame(callback)
    return () => cancelAnimationFrame(frame)
  },
  after: (ms, callback) => {
    const timer = window.setTimeout(callback, ms)
    return () => window.clearTimeout(timer)
  },
  onShown: (callback) => {
    const listener = () => {
      if (!document.hidden) {
        callback()
      }
    }
    document.addEventListener('visibilitychange', listener)
    return () => document.removeEventListener('visibilitychange', listener)
  },
}
