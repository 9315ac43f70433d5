import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { OrderAnswer } from '../../api/order'
import type { Exclusion } from '../../domain/exclusion'
import { BARRED_ID } from '../../platform/account/ExclusionLine'
import {
  addProtection,
  exclusionEnded,
  exclusionStarted,
  sessionEnded,
  statusDoubted,
} from '../../platform/account/protectionSlice'
import { placingResumed } from '../../platform/view/requests'
import { recordTypes } from '../../testing/actionTypes'
import { FakeBrowser, FakeTab, NOTHING } from '../../testing/fakePlacing'
import { renderWithProviders } from '../../testing/renderWithProviders'
import { PlaceButton } from './PlaceButton'
import { confirmationAsked, outcomeKnown, outcomeUnknown } from './placementSlice'
import type { PairChange } from './placementState'
import { startResume } from './resume'

const NOW = new Date(2026, 10, 27, 10)
const PAUSE: Exclusion = { kind: 'time_out', until: new Date(2026, 10, 28, 16, 59).getTime() }
const FOR_EVER: Exclusion = { kind: 'self_exclusion', until: null }
const CHANGE: PairChange = { matchId: 17, oddId: 101, sentValue: 1850, currentValue: 1800, reason: null }

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: NOW })
  return () => vi.useRealTimers()
})

function open(answer: OrderAnswer = NOTHING) {
  const tab = new FakeTab(new FakeBrowser(), async () => answer)
  onTestFinished(tab.stop)
  addProtection(tab.store)
  onTestFinished(startResume(tab.store.listeners.startListening.withTypes()))
  return {
    tab,
    begin: (exclusion: Exclusion) => act(() => void tab.store.dispatch(exclusionStarted(exclusion))),
    notices: () => tab.store.getState().notices.notices.map(({ key, values }) => [key, values]),
  }
}

const UNTIL = ['exclusionUntil_time_out', { time: expect.stringMatching(/^28\. 11\. 2026\. 16:59$/) }]

describe('during an exclusion', () => {
  it('a line with its end and what still works takes the place of the button, and nothing opens', async () => {
    const { tab, begin, notices } = open()
    renderWithProviders(<PlaceButton />, { store: tab.store })
    expect(screen.getByRole('button', { name: /^Uplati 10,00/ })).toBeTruthy()
    begin(PAUSE)
    expect(screen.queryByRole('button', { name: /^Uplati/ })).toBeNull()
    expect(screen.getByText('Pauza do 28. 11. 16:59').id).toBe(BARRED_ID)
    // The key that places.
    act(() => tab.ask())
    expect(tab.placement.stage).toBe('idle')
    expect(notices()).toEqual([UNTIL])
    const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime })
    await user.click(screen.getByRole('button', { name: 'pomoć' }))
    expect(tab.store.getState().view.panel).toBe('protection')
    await user.click(screen.getByRole('button', { name: 'izvod' }))
    expect(tab.store.getState().view).toMatchObject({ page: 'statement', panel: null })
    act(() => void tab.store.dispatch(exclusionEnded()))
    expect(screen.getByRole('button', { name: /^Uplati 10,00/ })).toBeTruthy()
  })

  it('without an end the line says so, and calls it an exclusion', () => {
    const { tab, begin } = open()
    renderWithProviders(<PlaceButton />, { store: tab.store })
    begin(FOR_EVER)
    expect(screen.getByText('Isključenje bez roka')).toBeTruthy()
    expect(screen.queryByText(/Pauza/)).toBeNull()
  })

  it('an earlier bet whose outcome is unknown is still shown', () => {
    const { tab, begin } = open()
    act(() => void tab.store.dispatch(outcomeUnknown({})))
    renderWithProviders(<PlaceButton />, { store: tab.store })
    begin(PAUSE)
    expect(screen.getByText('Još ne znamo je li listić zaprimljen')).toBeTruthy()
  })

  it('a login that placing caused opens no confirmation', () => {
    const { tab, begin, notices } = open()
    begin(PAUSE)
    act(() => void tab.store.dispatch(placingResumed()))
    expect(tab.placement.stage).toBe('idle')
    expect(notices()).toEqual([UNTIL])
  })

  it('nothing is sent, even if the confirmation was faster', () => {
    const { tab, begin } = open()
    begin(PAUSE)
    tab.store.dispatch(confirmationAsked(0))
    tab.confirm()
    expect([tab.placement.stage, tab.sent]).toEqual(['idle', []])
  })
})

describe('an exclusion that begins', () => {
  it('closes the confirmation with the reason', () => {
    const { tab, begin, notices } = open()
    tab.ask()
    expect(tab.placement.stage).toBe('confirming')
    begin(PAUSE)
    expect(tab.placement.stage).toBe('idle')
    expect(notices()).toEqual([UNTIL])
  })

  it('closes a rejected bet that could be placed again, but not another rejection', () => {
    const { tab, begin } = open()
    tab.store.dispatch(outcomeKnown({ kind: 'refused', reason: 'Kvota se promijenila.', changes: [CHANGE] }))
    begin(PAUSE)
    expect(tab.placement.stage).toBe('idle')
    tab.store.dispatch(exclusionEnded())
    tab.store.dispatch(outcomeKnown({ kind: 'refused', reason: 'Previše oklada.', changes: [] }))
    begin(PAUSE)
    expect(tab.placement.stage).toBe('known')
  })
})

it('a session that ends closes the confirmation', () => {
  const { tab } = open()
  tab.ask()
  tab.store.dispatch(sessionEnded({ endsAt: NOW.getTime(), sums: null }))
  expect(tab.placement.stage).toBe('idle')
})

it('a rejection, which an exclusion may explain, fetches the status again', async () => {
  const { tab } = open({ status: 400, text: 'Pauza od klađenja još traje.', body: {} })
  const types = recordTypes(tab.store)
  tab.place()
  await vi.waitFor(() => expect(tab.placement.stage).toBe('known'))
  expect(types).toContain(statusDoubted.type)
})

it('the answer to a bet above an own limit has what is left', async () => {
  const { tab } = open({ status: 400, text: 'Previše.', body: { left: '20.00' } })
  tab.place()
  await vi.waitFor(() => expect(tab.placement.stage).toBe('known'))
  expect(tab.placement).toMatchObject({ outcome: { kind: 'refused', left: '20.00' } })
})
