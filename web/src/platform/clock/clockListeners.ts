/** Detects by the dates in the feed's messages that our clock was set during a connection. */
import type { AppStartListening, AppStore } from '../../app/store'
import { type ClockWorld, ServerClock } from '../../protocol/serverClock'
import { selectServerOffset } from '../connection/connectionSelectors'
import { clockSet, helloReceived } from '../connection/connectionSlice'
import { framesApplied } from '../offer/offerSlice'

export function startClock(store: AppStore, startListening: AppStartListening, world: ClockWorld): () => void {
  const clock = new ServerClock(world)
  const begin = () => clock.told(world.now() + selectServerOffset(store.getState()))
  begin()
  const stopHello = startListening({ actionCreator: helloReceived, effect: begin })
  const stopDates = startListening({
    actionCreator: framesApplied,
    effect: ({ payload }) => {
      if (payload.dateMs !== null && clock.check(payload.dateMs)) {
        store.dispatch(clockSet(clock.offsetMs))
      }
    },
  })
  return () => {
    stopHello()
    stopDates()
  }
}
