import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Order, OrderAnswer } from '../../api/order'
import type { Consent } from '../../domain/ticket/ticket'
import { loggedOut, memberSeen, selectUser } from '../../platform/account/accountSlice'
import { addProtection, exclusionStarted } from '../../platform/account/protectionSlice'
import { ticketReceived } from '../../platform/connection/hubMessages'
import { offerLoaded } from '../../platform/offer/offerSlice'
import { onePressStakeSet, onePressTurned } from '../../platform/preferences/preferencesSlice'
import { oddPressed } from '../../platform/ticket/onePress'
import { selectChoice } from '../../platform/ticket/ticketSelectors'
import { loadOffer } from '../../protocol/loadOffer'
import { readMarket } from '../../protocol/readEntities'
import { aMatch, anOffer, aSport } from '../../testing/builders'
import { ANA, FakeBrowser, FakeStorage, FakeTab, NOTHING } from '../../testing/fakePlacing'
import { aPair, aTicket } from '../../testing/ticketBuilders'
import { UNDO_MS } from './onePressListeners'
import { onePressUndone, selectOnePressBet } from './onePressSlice'

const NONE = null

let browser: FakeBrowser

beforeEach(() => {
  vi.useFakeTimers()
  browser = new FakeBrowser()
})

afterEach(() => {
  for (const tab of browser.tabs) {
    tab.stop()
  }
  vi.useRealTimers()
})

const TAKEN: OrderAnswer = {
  status: 200,
  text: null,
  body: { message: '', ticketId: '1', ticketNumber: 'K7Q-1', payout: '1.85', balance: '98.00', pairs: [] },
}

/** Match 17 with the odds 101 and 102. */
function setPrice(tab: FakeTab, odd: number): void {
  const market = readMarket([
    100,
    'Ishod',
    NONE,
    NONE,
    NONE,
    1,
    0,
    0,
    [
      [101, '1', odd],
      [102, '2', 2.1],
    ],
  ])
  const offer = anOffer([aSport({ matches: [aMatch({ id: 17, markets: [market] })] })])
  tab.store.dispatch(offerLoaded({ offer: loadOffer(offer), feed: 'active', dateMs: null }))
}

function tabOf(answer: OrderAnswer | Promise<OrderAnswer> = TAKEN, session = new FakeStorage()): FakeTab {
  const tab = new FakeTab(browser, async () => answer, { session })
  setPrice(tab, 1.85)
  tab.store.dispatch(onePressTurned(true))
  tab.store.dispatch(onePressStakeSet('2.00'))
  return tab
}

function press(tab: FakeTab, oddId = 101, oddValue = 1850): void {
  tab.store.dispatch(oddPressed({ oddId, pair: aPair({ matchId: 17, oddId, oddValue }) }))
}

const bodyOf = ({ body }: Order) =>
  JSON.parse(body) as { bruto: string; oddsPolicy: string; pairs: { oddValue: number }[] }
const notices = (tab: FakeTab) => tab.store.getState().notices.notices.map(({ key }) => key)
const isWaiting = (tab: FakeTab) => selectOnePressBet(tab.store.getState()) !== null
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

describe('a pressed odd', () => {
  it('is sent as a single with the stake and the price of the press, when it can no longer be undone', async () => {
    const tab = tabOf()
    press(tab)
    await pass(UNDO_MS - 1)
    expect(tab.sent).toHaveLength(0)
    await pass(1)
    expect(tab.sent.map(bodyOf)).toMatchObject([
      { bruto: '2.00', oddsPolicy: 'higher', pairs: [{ matchId: 17, marketId: 101, oddValue: 1.85 }] },
    ])
    expect(tab.singles).toMatchObject({ stage: 'known', isOnePress: true, items: [{ outcome: { kind: 'accepted' } }] })
    expect(selectUser(tab.store.getState())?.balance).toBe('98.00')
  })

  it('leaves the ticket as it is, also if that has the same odd', async () => {
    const tab = tabOf()
    press(tab)
    await pass(UNDO_MS)
    expect(selectChoice(tab.store.getState()).pairs.map(({ oddId }) => oddId)).toEqual([101, 201])
  })

  it.each([
    ['the button', (tab: FakeTab) => tab.store.dispatch(onePressUndone())],
    ['a second press on the odd', (tab: FakeTab) => press(tab)],
    ['switching it off', (tab: FakeTab) => tab.store.dispatch(onePressTurned(false))],
    ['a logout', (tab: FakeTab) => tab.store.dispatch(loggedOut())],
  ])('is taken back by %s', async (_, undo) => {
    const tab = tabOf()
    press(tab)
    await pass(1000)
    undo(tab)
    await pass(60_000)
    expect(tab.sent).toHaveLength(0)
    expect(isWaiting(tab)).toBe(false)
  })

  it('is neither taken back nor doubled by a double click', async () => {
    const tab = tabOf()
    press(tab)
    press(tab)
    await pass(60_000)
    expect(tab.sent).toHaveLength(1)
  })

  it('is taken back by an exclusion', async () => {
    const tab = tabOf()
    addProtection(tab.store)
    press(tab)
    tab.store.dispatch(exclusionStarted({ kind: 'self_exclusion', until: null }))
    await pass(60_000)
    expect(tab.sent).toHaveLength(0)
  })

  it.each<[string, number, Consent, number]>([
    ['fell', 1.84, 'any', 0],
    ['fell', 1.84, 'higher', 0],
    ['rose', 1.86, 'none', 0],
    ['rose', 1.86, 'higher', 1],
  ])('with a price that %s to %d is sent as consented: %s', async (_, price, consent, count) => {
    const tab = tabOf()
    tab.store.dispatch(ticketReceived(aTicket({ consent })))
    press(tab)
    await pass(1000)
    setPrice(tab, price)
    await pass(UNDO_MS)
    expect(tab.sent.map((order) => bodyOf(order).pairs[0]?.oddValue)).toEqual(count === 1 ? [1.85] : [])
    expect(notices(tab)).toEqual(count === 1 ? [] : ['onePressNotSent'])
    expect(isWaiting(tab)).toBe(false)
  })

  it('is not sent after the computer slept', async () => {
    const tab = tabOf()
    press(tab)
    vi.setSystemTime(Date.now() + 3_600_000)
    await pass(UNDO_MS)
    expect(tab.sent).toHaveLength(0)
    expect(notices(tab)).toEqual(['onePressNotSent'])
  })

  it('is not sent by a page that was closed meanwhile', async () => {
    const session = new FakeStorage()
    const tab = tabOf(TAKEN, session)
    press(tab)
    await pass(1000)
    tab.stop()
    const after = tabOf(TAKEN, session)
    await pass(60_000)
    expect([tab.sent, after.sent]).toEqual([[], []])
  })
})

describe('another press', () => {
  it('waits for the one before', async () => {
    const tab = tabOf()
    press(tab)
    await pass(1000)
    press(tab, 102, 2100)
    expect(notices(tab)).toEqual(['onePressBusy'])
    await pass(UNDO_MS)
    press(tab, 102, 2100)
    await pass(UNDO_MS)
    expect(tab.sent.map((order) => bodyOf(order).pairs[0]?.oddValue)).toEqual([1.85, 2.1])
    expect(new Set(tab.sent.map(({ key }) => key)).size).toBe(2)
  })

  it('is not sent while an outcome is unknown', async () => {
    const tab = tabOf(NOTHING)
    press(tab)
    await pass(UNDO_MS + 10)
    expect(tab.singles).toMatchObject({ stage: 'sending', isUnsure: true, isOnePress: true })
    press(tab, 102, 2100)
    expect(notices(tab)).toEqual(['outcomeUnknown'])
    expect(isWaiting(tab)).toBe(false)
  })
})

it.each([
  ['above the balance', '2.01', '2.00', 'refusedNotEnoughBalance'],
  ['above the limit', '100.01', '1000.00', 'stakeMax'],
])('a stake %s is not sent', async (_, stake, balance, notice) => {
  const tab = tabOf()
  tab.store.dispatch(memberSeen({ ...ANA, balance }))
  tab.store.dispatch(onePressStakeSet(stake))
  press(tab)
  await pass(60_000)
  expect(notices(tab)).toEqual([notice])
  expect(tab.sent).toHaveLength(0)
})

it('a reload after it was sent doubles nothing and shows its outcome', async () => {
  const session = new FakeStorage()
  const before = tabOf(new Promise<OrderAnswer>(() => undefined), session)
  press(before)
  await pass(UNDO_MS)
  before.stop()
  const after = tabOf(TAKEN, session)
  await pass(0)
  expect(after.sent.map(({ key }) => key)).toEqual(before.sent.map(({ key }) => key))
  expect(after.singles).toMatchObject({ stage: 'known', isOnePress: true })
})
