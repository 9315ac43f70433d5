/**
 * Gathers what arrives until the next paint, so that one dispatch is one paint however many frames came. A hidden page
 * paints nothing: there a slow timer takes the turn, and coming back takes it at once.
 */

/** What of the page is used. */
export interface Painting {
  readonly isHidden: () => boolean
  /** Calls back before the next paint; returns how to give up. */
  readonly beforePaint: (callback: () => void) => () => void
  readonly after: (ms: number, callback: () => void) => () => void
  /** Calls back when the page comes into sight; returns how to stop. */
  readonly onShown: (callback: () => void) => () => void
}

const HIDDEN_MS = 1000

export class Gatherer<T> {
  readonly #painting: Painting
  readonly #take: (items: readonly T[], wasHidden: boolean) => void
  readonly #stopListening: () => void
  #items: T[] = []
  #pending: { readonly giveUp: () => void; readonly byPaint: boolean } | null = null
  /** Something of what is gathered came while the page was hidden. */
  #wasHidden = false

  constructor(painting: Painting, take: (items: readonly T[], wasHidden: boolean) => void) {
    this.#painting = painting
    this.#take = take
    this.#stopListening = painting.onShown(() => this.flush())
  }

  add(items: readonly T[]): void {
    this.#items.push(...items)
    const hidden = this.#painting.isHidden()
    this.#wasHidden ||= hidden
    if (this.#pending && !(hidden && this.#pending.byPaint)) {
      return
    }
    // A page that was hidden before its next paint may not paint for long.
    this.#pending?.giveUp()
    const turn = () => this.flush()
    this.#pending = {
      giveUp: hidden ? this.#painting.after(HIDDEN_MS, turn) : this.#painting.beforePaint(turn),
      byPaint: !hidden,
    }
  }

  /** Takes the turn now. */
  flush(): void {
    const items = this.#items
    const wasHidden = this.#wasHidden
    this.clear()
    if (items.length > 0) {
      this.#take(items, wasHidden)
    }
  }

  /** Forgets what is gathered. */
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

/** The browser. */
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
