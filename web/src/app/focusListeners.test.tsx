import { act, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AccountButton } from '../features/account/AccountButton'
import { FeedStatus } from '../features/connection/FeedStatus'
import { MatchPage } from '../features/match/MatchPage'
import { memberSeen, strangerSeen } from '../platform/account/accountSlice'
import { connectionLost, helloReceived } from '../platform/connection/connectionSlice'
import { matchOpened } from '../platform/view/viewSlice'
import { aMatch, anOffer, aSport } from '../testing/builders'
import { eventually } from '../testing/eventually'
import { renderWithProviders, storeWith } from '../testing/renderWithProviders'
import { startFocusKeeping } from './focusListeners'
import type { AppDispatch, AppStore, RootState } from './store'

const MATCH = aMatch({ id: 17 })

let store: AppStore
let stop: () => void

beforeEach(() => {
  store = storeWith(anOffer([aSport({ matches: [MATCH] })]), { opened: [MATCH] })
  store.dispatch(matchOpened(17))
  store.dispatch(memberSeen({ name: 'ana', balance: '100.00', currency: 'EUR' }))
  stop = startFocusKeeping(store.listeners.startListening.withTypes<RootState, AppDispatch>())
  renderWithProviders(
    <>
      <header>
        <FeedStatus />
        <AccountButton />
      </header>
      <main tabIndex={-1}>
        <MatchPage matchId={17} />
      </main>
      <input aria-label="elsewhere" />
    </>,
    { store },
  )
})

afterEach(() => stop())

const isFocused = (element: () => HTMLElement) => eventually(() => expect(document.activeElement).toBe(element()))

test('who is logged out with the focus at the account finds it at the way to log in', async () => {
  screen.getByRole('button', { name: /^Račun/ }).focus()
  await act(async () => store.dispatch(strangerSeen()))
  await isFocused(() => screen.getByRole('link', { name: 'Prijava' }))
})

test('what stood beside it may go at the same moment', async () => {
  const hello = helloReceived({ session: 's', version: '1', feed: 'active', serverOffsetMs: 0 })
  await act(async () => store.dispatch(hello))
  expect(document.querySelector('[data-age]')).not.toBeNull()
  screen.getByRole('button', { name: /^Račun/ }).focus()
  await act(async () => {
    store.dispatch(strangerSeen())
    store.dispatch(connectionLost())
  })
  expect(document.querySelector('[data-age]')).toBeNull()
  await isFocused(() => screen.getByRole('link', { name: 'Prijava' }))
})

test('a match that goes with the connection leaves the focus to what was around it', async () => {
  screen.getByRole('button', { name: 'Natrag na ponudu' }).focus()
  await act(async () => store.dispatch(connectionLost()))
  expect(screen.queryByRole('button', { name: 'Natrag na ponudu' })).toBeNull()
  await isFocused(() => screen.getByRole('main'))
})

test('a focus elsewhere stays there', async () => {
  screen.getByRole('textbox').focus()
  await act(async () => {
    store.dispatch(strangerSeen())
    store.dispatch(connectionLost())
  })
  await new Promise(requestAnimationFrame)
  expect(document.activeElement).toBe(screen.getByRole('textbox'))
})
