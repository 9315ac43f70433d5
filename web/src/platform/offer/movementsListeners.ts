/** The flash of a price that moved ends after 800 ms, its arrow 4 s after the last move. */
import type { AppStartListening, AppStore } from '../../app/store'
import type { OddId } from '../../domain/offer'
import { connectionLost } from '../connection/connectionSlice'
import { Expiries } from './expiries'
import { arrowsEnded, flashesEnded } from './movementsSlice'
import { framesApplied, offerAbsent, offerLoaded } from './offerSlice'

export const FLASH_MS = 800
export const ARROW_MS = 4000

export function startMovements({ dispatch }: AppStore, startListening: AppStartListening): () => void {
  const flashes = new Expiries<OddId>(FLASH_MS, (ids) => dispatch(flashesEnded(ids)))
  const arrows = new Expiries<OddId>(ARROW_MS, (ids) => dispatch(arrowsEnded(ids)))
  const clear = () => {
    flashes.clear()
    arrows.clear()
  }
  const stops = [
    startListening({
      actionCreator: framesApplied,
      effect: ({ payload }) => {
        for (const [id] of payload.movements) {
          arrows.start(id)
          if (!payload.isCalm && !flashes.has(id)) {
            flashes.start(id)
          }
        }
      },
    }),
    ...[offerLoaded, offerAbsent, connectionLost].map((actionCreator) =>
      startListening({ predicate: actionCreator.match, effect: clear }),
    ),
  ]
  return () => {
    clear()
    for (const stop of stops) {
      stop()
    }
  }
}
