/** Starts the live offer and tells it what the bettor does: another language, another match opened. */
import type { AppStartListening, AppStore } from '../../app/store'
import { LiveOffer, type LiveWorld } from './liveOffer'

export function startLiveOffer(store: AppStore, startListening: AppStartListening, world: LiveWorld): () => void {
  const live = new LiveOffer(store, world)
  const stops = [
    startListening({
      predicate: (_, now, before) => now.preferences.language !== before.preferences.language,
      effect: () => live.languageChanged(),
    }),
    startListening({
      predicate: (_, now, before) => now.view.openMatchId !== before.view.openMatchId,
      effect: (_, api) => live.openMatchChanged(api.getOriginalState().view.openMatchId),
    }),
  ]
  return () => {
    for (const stop of stops) {
      stop()
    }
    live.stop()
  }
}
