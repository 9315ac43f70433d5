/**
 * A fake environment for client tests: hub, HTTP calls, page and URL. The store and the listeners are the real ones.
 * Time comes from the fake timers of the test. Must not use the network or a real clock.
 */
import { vi } from 'vitest'
import { hubUrl } from '../api/startApi'
import { startLater } from '../app/later'
import { browserWorld, startListeners, type World } from '../app/listeners'
import { startLive } from '../app/live'
import { type AppStore, makeStore, type RootState } from '../app/store'
import { PageTexts } from '../i18n/pageTexts'
import { translator } from '../i18n/translator'
import type { User } from '../platform/account/accountSlice'
import type { Painting } from '../platform/connection/gatherer'
import type { ToldMatch, ToldOffer } from '../protocol/frames'
import { HubClient } from '../protocol/hubClient'
import { anOffer } from './builders'
import { FakeHub } from './fakeHub'

/** A started client, and the fakes that a test controls. */
export interface FakeWorld {
  readonly store: AppStore
  readonly hub: FakeHub
  readonly fetchOffer: ReturnType<typeof vi.fn<(language: string) => Promise<ToldOffer | null>>>
  readonly fetchMatch: ReturnType<typeof vi.fn<(id: number, language: string) => Promise<ToldMatch | null>>>
  readonly fetchTranslations: ReturnType<typeof vi.fn<(language: string) => Promise<Record<string, string>>>>
  readonly shellTexts: ReturnType<typeof vi.fn<World['texts']['shellTexts']>>
  readonly fetchUser: ReturnType<typeof vi.fn<World['fetchUser']>>
  readonly i18n: PageTexts
  readonly page: FakePage
  readonly url: FakeUrl
  /** Runs all pending promises, then one paint and what it starts. */
  readonly settle: () => Promise<void>
  readonly stop: () => void
}

/** The browser page: its visibility and its paints, which happen only when a test calls `paint`. */
export class FakePage {
  hidden = false
  paints = 0
  #before: (() => void)[] = []
  #shown: (() => void)[] = []

  readonly painting: Painting = {
    isHidden: () => this.hidden,
    beforePaint: (callback) => {
      this.#before.push(callback)
      return () => {
        this.#before = this.#before.filter((other) => other !== callback)
      }
    },
    after: (ms, callback) => {
      const timer = setTimeout(callback, ms)
      return () => clearTimeout(timer)
    },
    onShown: (callback) => {
      this.#shown.push(callback)
      return () => {
        this.#shown = this.#shown.filter((other) => other !== callback)
      }
    },
  }

  paint(): void {
    this.paints += 1
    for (const callback of this.#before.splice(0)) {
      callback()
    }
  }

  show(): void {
    this.hidden = false
    for (const callback of this.#shown) {
      callback()
    }
  }
}

/** The address bar with its history. `back` acts as the back button. */
export class FakeUrl {
  /** The visited addresses, the newest last. */
  readonly history: string[]
  #moved: () => void = () => undefined

  constructor(href = '/') {
    this.history = [href]
  }

  readonly browsing: World['browsing'] = {
    search: () => this.history.at(-1)?.slice(1) ?? '',
    push: (href) => this.history.push(href),
    replace: (href) => this.history.splice(-1, 1, href),
    onMoved: (callback) => {
      this.#moved = callback
      return () => {
        this.#moved = () => undefined
      }
    },
  }

  back(): void {
    this.history.pop()
    this.#moved()
  }
}

/** Starts the store and all listeners with this fake environment. The test must call `stop`. */
export function startFakeWorld({
  offer = anOffer(),
  href = '/',
  preloaded = {},
  user,
}: {
  offer?: ToldOffer | null
  href?: string
  preloaded?: Partial<RootState>
  /** The signed-in user; anonymous by default. */
  user?: User | undefined
} = {}): FakeWorld {
  const store = makeStore(preloaded)
  const hub = new FakeHub()
  const page = new FakePage()
  const url = new FakeUrl(href)
  const i18n = new PageTexts(async () => translator)
  const fetchOffer = vi.fn<(language: string) => Promise<ToldOffer | null>>().mockResolvedValue(offer)
  const fetchMatch = vi.fn<(id: number, language: string) => Promise<ToldMatch | null>>().mockResolvedValue(null)
  const fetchTranslations = vi.fn<(language: string) => Promise<Record<string, string>>>().mockResolvedValue({})
  const shellTexts = vi.fn<World['texts']['shellTexts']>().mockRejectedValue(new Error('no shell'))
  const fetchUser = vi.fn<World['fetchUser']>().mockResolvedValue(user)
  const browser = browserWorld(i18n)
  const stop = startListeners(store, {
    fetchUser,
    later: async () => ({ startLater }),
    storage: localStorage,
    browsing: url.browsing,
    texts: { ...browser.texts, random: () => 1, fetchTranslations, shellTexts },
    startLive: (ofStore, startListening) =>
      startLive(ofStore, startListening, {
        random: () => 1,
        now: () => Date.now(),
        hubUrl,
        connect: (address, events) => new HubClient(address, events, hub.world),
        fetchOffer,
        fetchMatch,
        painting: page.painting,
      }),
  })
  const settle = async () => {
    await vi.advanceTimersByTimeAsync(0)
    page.paint()
    await vi.advanceTimersByTimeAsync(0)
  }
  return { store, hub, fetchOffer, fetchMatch, fetchTranslations, shellTexts, fetchUser, i18n, page, url, settle, stop }
}
