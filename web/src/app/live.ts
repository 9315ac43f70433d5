/** The live offer with its connection and calls. It loads while the first paint is rendered. */
import { type EarlyOffer, fetchMatch, startingWith } from '../api/liveApi'
import { hubUrl } from '../api/startApi'
import { fetchUser } from '../api/userApi'
import { PAGE } from '../platform/connection/gatherer'
import { type LiveWorld, type StartedOffer, startLiveOffer } from '../platform/offer/liveOffer'
import { startMovements } from '../platform/offer/movementsListeners'
import { BROWSER } from '../protocol/browserHub'
import type { EarlySocket } from '../protocol/earlySocket'
import { HubClient } from '../protocol/hubClient'
import '../platform/offer/ownOrder'
import type { AppStartListening, AppStore } from './store'

/** The browser as the environment of the live offer. Its first connection is the socket that is already open. */
function browserLive(early: EarlySocket): LiveWorld {
  const world = early.worldOf(BROWSER)
  return {
    connect: (_, events) => new HubClient(early.url, events, world),
    hubUrl,
    fetchOffer: startingWith((window as { earlyOffer?: EarlyOffer }).earlyOffer),
    fetchMatch,
    painting: PAGE,
    random: () => Math.random(),
    now: () => Date.now(),
  }
}

export function startLive(store: AppStore, startListening: AppStartListening, world: LiveWorld): StartedOffer {
  const stopMovements = startMovements(store, startListening)
  const live = startLiveOffer(store, startListening, world)
  return {
    ...live,
    stop: () => {
      stopMovements()
      live.stop()
    },
  }
}

/** The exports of this chunk, in one object. */
export const liveParts = { browserLive, fetchUser, startLive }
