/**
 * The scoreboard's connection to the hub. It watches one match, requests all its data after that, and again whenever
 * something was lost. The hub client does the reconnecting.
 */
import type { MatchId } from '../domain/offer'
import type { OfferMessage } from '../protocol/frames'
import type { HubClient, HubEvents, ToldMessage } from '../protocol/hubClient'
import { ServerClock } from '../protocol/serverClock'
import { follow, type Tracked } from './tracked'

export type View =
  | { readonly kind: 'loading' }
  /** There is no offer at the moment. */
  | { readonly kind: 'inactive' }
  /** The match is not, or no longer, in the offer. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'shown'; readonly tracked: Tracked; readonly isStale: boolean }

export interface LinkWorld {
  readonly connect: (events: HubEvents) => HubClient
  readonly now: () => number
}

export class Link {
  readonly #matchId: MatchId
  readonly #world: LinkWorld
  readonly #onView: (view: View) => void
  readonly #hub: HubClient
  #tracked: Tracked | null = null
  #isStale = false
  /** A resync is running. */
  #isAsking = false
  readonly #clock: ServerClock

  constructor(matchId: MatchId, world: LinkWorld, onView: (view: View) => void) {
    this.#matchId = matchId
    this.#world = world
    this.#onView = onView
    this.#clock = new ServerClock({ now: world.now, steady: () => performance.now() })
    this.#hub = world.connect({
      onHello: ({ serverTimeMs, feed }) => {
        this.#clock.told(serverTimeMs)
        this.#isAsking = false
        this.#begin(feed === 'inactive')
      },
      onLost: () => {
        this.#isStale = true
        this.#show()
      },
      onMessages: (messages) => this.#told(messages),
    })
    this.#show()
  }

  /** The server's time, ms since the epoch. */
  serverNow(): number {
    return this.#world.now() + this.#clock.offsetMs
  }

  /** Checks the connection with a ping. */
  probe(): void {
    this.#hub.probe()
  }

  stop(): void {
    this.#hub.close()
  }

  #begin(isInactive: boolean): void {
    if (isInactive) {
      this.#tracked = null
      this.#onView({ kind: 'inactive' })
    }
    this.#hub
      .watch({ sports: [], favourites: false, matches: [this.#matchId] })
      .then(() => (isInactive ? undefined : this.#ask()))
      .catch(ignoreLoss)
  }

  #ask(): void {
    if (this.#isAsking) {
      return
    }
    this.#isAsking = true
    this.#hub
      .resync(this.#matchId)
      .catch(ignoreLoss)
      .finally(() => {
        this.#isAsking = false
      })
  }

  #told(messages: readonly ToldMessage[]): void {
    for (const message of messages) {
      switch (message.kind) {
        case 'feed':
          if (message.feed === 'inactive') {
            this.#tracked = null
            this.#onView({ kind: 'inactive' })
          } else if (!this.#tracked) {
            this.#ask()
          }
          break
        case 'notice':
          this.#ask()
          break
        case 'ticket':
        case 'favourites':
        case 'account':
        case 'bets':
          break
        case 'date':
          this.#clock.check(message.dateMs)
          break
        default:
          this.#apply(message)
      }
    }
    if (this.#tracked) {
      this.#show()
    }
  }

  #apply(message: OfferMessage): void {
    const outcome = follow(this.#tracked, message, this.#matchId, this.serverNow())
    switch (outcome.kind) {
      case 'held':
        if (outcome.tracked !== this.#tracked) {
          this.#isStale = false
        }
        this.#tracked = outcome.tracked
        break
      case 'lost':
        this.#ask()
        break
      case 'gone':
        this.#tracked = null
        this.#onView({ kind: 'gone' })
    }
  }

  #show(): void {
    this.#onView(
      this.#tracked ? { kind: 'shown', tracked: this.#tracked, isStale: this.#isStale } : { kind: 'loading' },
    )
  }
}

function ignoreLoss(): void {
  // The next connection sends its own watch and resync.
}
