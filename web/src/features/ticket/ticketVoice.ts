/** Announces ticket changes to screen readers: the result of the bettor's own changes, and pairs that become locked. */
import type { AppStartListening } from '../../app/store'
import { ticketReceived } from '../../platform/connection/hubMessages'
import { announcementWished } from '../../platform/notices/announcementsSlice'
import { matchName } from '../../platform/offer/matchName'
import { wished } from '../../platform/ticket/ticketSlice'
import { formatTotalOdd } from '../../platform/ticket/totalOdd'
import { selectTicket } from '../../platform/ticket/totalsSelectors'

export function startTicketVoice(startListening: AppStartListening): () => void {
  const stops = [
    startListening({
      actionCreator: wished,
      effect: ({ payload: { wish } }, { dispatch, getState }) => {
        if (wish.wish !== 'pick' && wish.wish !== 'drop' && wish.wish !== 'clear') {
          return
        }
        const ticket = selectTicket(getState())
        const count = ticket.pairs.length
        dispatch(
          announcementWished(
            count === 0
              ? { key: 'ticketSaidEmpty', values: {} }
              : { key: 'ticketSaid', values: { count, odd: formatTotalOdd(ticket.totalOdd) } },
          ),
        )
      },
    }),
    startListening({
      actionCreator: ticketReceived,
      effect: ({ payload }, { dispatch, getOriginalState }) => {
        const before = getOriginalState().ticket.told?.pairs ?? []
        const locked = payload.pairs.find(
          (pair) => !pair.canBet && before.some(({ oddId, canBet }) => oddId === pair.oddId && canBet),
        )
        if (locked) {
          dispatch(announcementWished({ key: 'pairLocked', values: { pair: matchName(locked) } }))
        }
      },
    }),
  ]
  return () => {
    for (const stop of stops) {
      stop()
    }
  }
}
