import { expect, onTestFinished, test } from 'vitest'
import { type AppDispatch, makeStore, type RootState } from '../../app/store'
import { ticketReceived } from '../../platform/connection/hubMessages'
import { announcementWished } from '../../platform/notices/announcementsSlice'
import { addSingles, singleStakeSet, singlesTurned } from '../../platform/ticket/singlesSlice'
import { wished } from '../../platform/ticket/ticketSlice'
import { aPair, aTicket } from '../../testing/ticketBuilders'
import { startTicketVoice } from './ticketVoice'

test.each([
  ['a ticket with its odds', false, 'ticketSaid', { count: 2, odd: '6.00' }],
  ['singles with the sum of their stakes', true, 'ticketSaidSingles', { count: 2, stake: '15,00\u00a0€' }],
])('a removed pair leaves %s', (_, isSingles, key, values) => {
  const store = makeStore()
  const startListening = store.listeners.startListening.withTypes<RootState, AppDispatch>()
  onTestFinished(startTicketVoice(startListening))
  const said: unknown[] = []
  startListening({ actionCreator: announcementWished, effect: ({ payload }) => void said.push(payload) })
  addSingles(store)
  const pairs = [aPair({ oddValue: 2000 }), aPair({ oddValue: 3000 }), aPair({ oddValue: 4000 })]
  const [first, , last] = pairs
  store.dispatch(ticketReceived(aTicket({ stake: '10.00', pairs })))
  store.dispatch(singlesTurned(isSingles))
  store.dispatch(singleStakeSet({ oddId: first?.oddId ?? 0, stake: '5.00' }))
  store.dispatch(wished({ wish: 'drop', matchId: last?.matchId ?? 0 }))
  expect(said).toEqual([{ key, values }])
})
