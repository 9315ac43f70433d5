/** Starts the live offer and passes it changes of the language and of the opened match. */
import type { AppStartListening, AppStore } from '../../app/store'
import type { BettorCommand } from '../../protocol/commands'
import { LiveOffer, type LiveWorld } from './liveOffer'

export interface StartedOffer {
  readonly stop: () => void
  readonly say: (command: BettorCommand) => Promise<void>
  readonly reconnect: () => void
  readonly listenBets: LiveOffer['listenBets']
}

export function startLiveOffer(store: AppStore, startListening: AppStartListening, world: LiveWorld): StartedOffer {
  const live = new LiveOffer(store, world)
  const stops = [
    startListening({
      predicate: (_, now, before) => now.preferences.language !== before.preferences.language,
      effect: () => live.reconnect(),
    }),
    startListening({
      predicate: (_, now, before) => now.view.openMatchId !== before.view.openMatchId,
      effect: (_, api) => live.openMatchChanged(api.getOriginalState().view.openMatchId),
    }),
  ]
  return {
    say: (command) => live.command(command),
    reconnect: () => live.reconnect(),
    listenBets: (listener) => live.listenBets(listener),
    stop: () => {
      for (const stop of stops) {
        stop()
      }
      live.stop()
    },
  }
}
