/** Announces ticket changes to screen readers: the result of the bettor's own changes, and pairs that become locked. */
import type { AppStartListening, RootState } from '../../app/store'
import { formatMoney } from '../../i18n/locale'
import { selectCurrency } from '../../platform/account/accountSlice'
import { ticketReceived } from '../../platform/connection/hubMessages'
import { type Announcement, announcementWished } from '../../platform/notices/announcementsSlice'
import { matchName } from '../../platform/offer/matchName'
import { selectLanguage } from '../../platform/preferences/preferencesSelectors'
import { selectIsSingles, selectSingles, sumOf } from '../../platform/ticket/singlesSlice'
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
        dispatch(announcementWished(spokenOf(getState())))
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

function spokenOf(state: RootState): Announcement {
  const ticket = selectTicket(state)
  const count = ticket.pairs.length
  if (count === 0) {
    return { key: 'ticketSaidEmpty', values: {} }
  }
  if (!selectIsSingles(state)) {
    return { key: 'ticketSaid', values: { count, odd: formatTotalOdd(ticket.totalOdd) } }
  }
  const stake = formatMoney(selectLanguage(state), sumOf(selectSingles(state), 'stake'), selectCurrency(state))
  return { key: 'ticketSaidSingles', values: { count, stake } }
}
