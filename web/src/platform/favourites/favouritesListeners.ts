/**
 * Sends favourite changes to the hub. After a lost connection, unacknowledged changes are sent again on the next one.
 */
import type { AppStartListening, AppStore } from '../../app/store'
import type { BettorCommand } from '../../protocol/commands'
import { HubError } from '../../protocol/hubClient'
import { favouritesReceived } from '../connection/hubMessages'
import { noticeShown } from '../notices/noticesSlice'
import { favouriteMarked, markingSettled } from './favouritesSlice'

export function startFavourites(
  { dispatch, getState }: AppStore,
  startListening: AppStartListening,
  say: (command: BettorCommand) => Promise<void>,
): () => void {
  const said = new Set<string>()
  const flush = () => {
    for (const { id, matchId, on } of getState().favourites.markings) {
      if (!said.has(id)) {
        said.add(id)
        say({ verb: 'favourite', matchId, on }).then(
          () => dispatch(markingSettled(id)),
          (error: unknown) => {
            if (error instanceof HubError && error.code === 'lost') {
              said.delete(id)
              return
            }
            dispatch(markingSettled(id))
            dispatch(
              error instanceof HubError && error.code === 'too_many_favourites'
                ? noticeShown('hubRefusedTooManyFavourites')
                : noticeShown('hubRefusedOther', { text: error instanceof HubError ? error.message : '' }),
            )
          },
        )
      }
    }
  }
  flush()
  const stops = [
    startListening({ actionCreator: favouriteMarked, effect: flush }),
    startListening({ actionCreator: favouritesReceived, effect: flush }),
  ]
  return () => {
    for (const stop of stops) {
      stop()
    }
  }
}
