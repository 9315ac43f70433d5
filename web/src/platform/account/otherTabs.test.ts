import { expect, it, onTestFinished } from 'vitest'
import { makeStore } from '../../app/store'
import { startKeptTicket } from '../../features/ticket/keptTicketListeners'
import { aPair, aTicket } from '../../testing/ticketBuilders'
import { ticketReceived } from '../connection/hubMessages'
import { selectWaitingTicket } from '../ticket/keptTicketSlice'
import { pageOpened, panelTurned } from '../view/viewSlice'
import { memberSeen, strangerSeen } from './accountSlice'
import { showLoggedOut, startOtherTabs } from './otherTabs'

const ANA = { name: 'ana', balance: '100.00', currency: 'EUR' }

/** Tabs of one browser, each signed in as ana and with a ticket. */
function openTabs(count: number) {
  const listeners = new Set<(name: string) => void>()
  const posted: string[] = []
  const stores = Array.from({ length: count }, () => {
    const store = makeStore()
    const startListening = store.listeners.startListening.withTypes<
      ReturnType<typeof store.getState>,
      typeof store.dispatch
    >()
    let own: ((name: string) => void) | null = null
    onTestFinished(startKeptTicket(store, startListening, sessionStorage))
    onTestFinished(
      startOtherTabs(store, startListening, {
        post: (name) => {
          posted.push(name)
          for (const listener of listeners) {
            if (listener !== own) {
              listener(name)
            }
          }
        },
        listen: (listener) => {
          own = listener
          listeners.add(listener)
          return () => listeners.delete(listener)
        },
      }),
    )
    store.dispatch(memberSeen(ANA))
    store.dispatch(ticketReceived(aTicket({ pairs: [aPair({})] })))
    return store
  })
  return { stores, posted }
}

it('a logout is shown in all tabs, and keeps no ticket for a login', () => {
  const { stores, posted } = openTabs(3)
  const [first, second] = stores
  second?.dispatch(pageOpened('statement'))
  second?.dispatch(panelTurned('cashier'))
  first?.dispatch(showLoggedOut)
  for (const store of stores) {
    expect(store.getState().account.status).toBe('anonymous')
    expect(selectWaitingTicket(store.getState())).toBeNull()
  }
  expect(second?.getState().view).toMatchObject({ page: 'list', panel: null })
  expect(posted).toEqual(['ana'])
})

it('a tab that the hub has told first forgets the ticket too', () => {
  const { stores } = openTabs(2)
  const [first, second] = stores
  second?.dispatch(strangerSeen())
  expect(second && selectWaitingTicket(second.getState())).not.toBeNull()
  first?.dispatch(showLoggedOut)
  expect(second && selectWaitingTicket(second.getState())).toBeNull()
})

it('a tab in which another user has logged in meanwhile stays', () => {
  const { stores } = openTabs(2)
  const [first, second] = stores
  second?.dispatch(memberSeen({ ...ANA, name: 'ivo' }))
  first?.dispatch(showLoggedOut)
  expect(second?.getState().account.user?.name).toBe('ivo')
})

it('a session that is lost without a logout keeps its ticket', () => {
  const { stores, posted } = openTabs(1)
  stores[0]?.dispatch(strangerSeen())
  expect(stores[0] && selectWaitingTicket(stores[0].getState())?.pairs).toHaveLength(1)
  expect(posted).toEqual([])
})
