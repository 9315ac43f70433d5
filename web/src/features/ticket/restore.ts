/** Puts the pairs of an earlier ticket back, beside pairs that were picked meanwhile. */
import type { AppDispatch, AppStartListening, RootState } from '../../app/store'
import type { TicketChoice, TicketWish } from '../../domain/ticket/ticket'
import { noticeShown } from '../../platform/notices/noticesSlice'
import { selectChoice } from '../../platform/ticket/ticketSelectors'
import { wished } from '../../platform/ticket/ticketSlice'
import { restoreAsked } from '../../platform/view/requests'

/** Clears the ticket and shows a notice with an undo button. */
export function clearTicket(dispatch: AppDispatch, getState: () => RootState): void {
  const before = selectChoice(getState())
  dispatch(wished({ wish: 'clear' }))
  dispatch(noticeShown('ticketCleared', {}, { key: 'undo', action: restoreAsked(before) }))
}

export function startRestore(startListening: AppStartListening): () => void {
  return startListening({
    actionCreator: restoreAsked,
    effect: ({ payload }, { dispatch, getState }) => {
      for (const wish of wishesFor(payload, selectChoice(getState()))) {
        dispatch(wished(wish))
      }
    },
  })
}

/** The changes that turn the current ticket into the old one. A match that was picked again keeps its new pair. */
function wishesFor(before: TicketChoice, now: TicketChoice): TicketWish[] {
  const held = new Set(now.pairs.map(({ matchId }) => matchId))
  const missing = before.pairs.filter(({ matchId }) => !held.has(matchId))
  return [
    ...(before.type > now.type ? [{ wish: 'type', type: before.type } as const] : []),
    ...missing.map((pair): TicketWish => ({ wish: 'pick', pair: { ...pair, isFix: false } })),
    ...missing.filter(({ isFix }) => isFix).map(({ matchId }): TicketWish => ({ wish: 'fix', matchId, on: true })),
    ...(before.combination === null ? [] : [{ wish: 'combination', k: before.combination } as const]),
  ]
}
