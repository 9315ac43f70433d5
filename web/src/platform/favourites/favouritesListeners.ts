/**
 * Sends favourite changes to the hub. After a lost connection, unacknowledged changes are sent again on the next one.
 */
import type { AppStartListening, AppStore } from '../../app/store'
import type { BettorCommand } from '../../protocol/commands'
import { HubError } from '../../protocol/hubClient'
import { favouritesReceived } from '../connection/hubMessages'
import { noticeShown } from '../notices/noticesSlice'
import { favouriteMarked, markingLost, markingSent, markingSettled } from './favouritesSlice'

export function startFavourites(
  store: AppStore,
  startListening: AppStartListening,
  say: (command: BettorCommand) => Promise<void>,
): () => void {
  const stops = [
    startListening({
      predicate: (action) => favouriteMarked.match(action) || favouritesReceived.match(action),
      effect: (_, api) => sendQueued(api),
    }),
    startListening({
      actionCreator: markingSent,
      effect: async ({ payload: { id, matchId, on } }, { dispatch }) => {
        const error: unknown = await say({ verb: 'favourite', matchId, on }).then(
          () => null,
          (reason: unknown) => reason,
        )
        const { code, message } = error instanceof HubError ? error : { code: '', message: '' }
        if (code === 'lost') {
          dispatch(markingLost(id))
          return
        }
        dispatch(markingSettled(id))
        if (error !== null) {
          dispatch(
            code === 'too_many_favourites'
              ? noticeShown('hubRefusedTooManyFavourites')
              : noticeShown('hubRefusedOther', { text: message }),
          )
        }
      },
    }),
  ]
  sendQueued(store)
  return () => {
    for (const stop of stops) {
      stop()
    }
  }
}

function sendQueued({ dispatch, getState }: Pick<AppStore, 'dispatch' | 'getState'>): void {
  const { markings, sent } = getState().favourites
  for (const marking of markings) {
    if (!sent.includes(marking.id)) {
      dispatch(markingSent(marking))
    }
  }
}
