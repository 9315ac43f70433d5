import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Order, OrderAnswer } from '../../api/order'
import { DEFAULT_RULES } from '../../domain/ticket/rules'
import { loggedOut, memberSeen, selectUser } from '../../platform/account/accountSlice'
import { addProtection, exclusionStarted } from '../../platform/account/protectionSlice'
import { connectionLost } from '../../platform/connection/connectionSlice'
import { rulesTold } from '../../platform/ticket/rulesSlice'
import { selectSingleReason, singleStakeSet } from '../../platform/ticket/singlesSlice'
import { selectChoice } from '../../platform/ticket/ticketSelectors'
import { ANA, FakeBrowser, FakeStorage, FakeTab, NOTHING } from '../../testing/fakePlacing'
import { ON_ITS_WAY_MS, SENT_AGAIN_MS } from './placing'

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

const settle = () => vi.advanceTimersByTimeAsync(0)

const taken = (id: string, balance = '80.00'): OrderAnswer => ({
  status: 200,
  text: null,
  body: { message: '', ticketId: id, ticketNumber: `K7Q-${id}`, payout: '18.50', balance, pairs: [] },
})
const rejected = (text: string): OrderAnswer => ({ status: 400, text, body: {} })
const FREE = rejected('malformed')
const USED: OrderAnswer = { status: 409, text: 'used', body: {} }
const UNAUTHORISED: OrderAnswer = { status: 401, text: null, body: {} }

const matchOf = ({ body }: Order) => (JSON.parse(body) as { pairs?: { matchId: number }[] }).pairs?.[0]?.matchId ?? null

/** A tab whose orders are answered by match: 17 and 18. Questions have no match. */
function tabOf(answers: (matchId: number | null) => OrderAnswer | Promise<OrderAnswer>, session?: FakeStorage) {
  const tab = new FakeTab(browser, async (order) => answers(matchOf(order)), session && { session })
  tab.turnToSingles()
  return tab
}

const matches = (tab: FakeTab) => selectChoice(tab.store.getState()).pairs.map(({ matchId }) => matchId)
const fates = (tab: FakeTab) =>
  'items' in tab.singles ? tab.singles.items.map(({ outcome }) => outcome?.kind ?? null) : tab.singles.stage
const never = () => new Promise<OrderAnswer>(() => undefined)

describe('singles', () => {
  it('are a bet for each pair, with its own stake and its own key, by one press', async () => {
    const tab = tabOf((id) => taken(String(id), id === 17 ? '90.00' : '83.00'))
    tab.store.dispatch(singleStakeSet({ oddId: 201, stake: '7.00' }))
    tab.placeSingles()
    await settle()
    const bodies = tab.sent.map(({ body }) => JSON.parse(body) as { bruto: string; pairs: { matchId: number }[] })
    expect(bodies.map(({ bruto, pairs }) => [bruto, pairs.map(({ matchId }) => matchId)])).toEqual([
      ['10.00', [17]],
      ['7.00', [18]],
    ])
    expect(bodies).toEqual(bodies.map(() => expect.objectContaining({ systemType: 0, oddsPolicy: 'higher' })))
    expect(new Set(tab.sent.map(({ key }) => key)).size).toBe(2)
    expect(fates(tab)).toEqual(['accepted', 'accepted'])
    expect(matches(tab)).toEqual([])
    expect(selectUser(tab.store.getState())?.balance).toBe('83.00')
    tab.readSingles()
    expect(browser.storage.getItem('cn-singles-order')).toBeNull()
  })

  it('that are rejected stay on the ticket, with the reason', async () => {
    const tab = tabOf((id) => (id === 17 ? taken('A') : rejected('Kvota se promijenila.')))
    tab.placeSingles()
    await settle()
    expect(tab.singles).toMatchObject({
      stage: 'known',
      items: [{ outcome: { kind: 'accepted' } }, { outcome: { kind: 'refused', reason: 'Kvota se promijenila.' } }],
    })
    expect(matches(tab)).toEqual([18])
    const reasonOf = (oddId: number) => selectSingleReason(tab.store.getState(), oddId)
    expect([reasonOf(101), reasonOf(201)]).toEqual([undefined, 'Kvota se promijenila.'])
    tab.store.dispatch(singleStakeSet({ oddId: 201, stake: '5.00' }))
    expect(reasonOf(201)).toBeUndefined()
  })

  it('with a stake outside the limits are not sent', async () => {
    const tab = tabOf(never)
    tab.store.dispatch(rulesTold({ rules: { ...DEFAULT_RULES, minStake: '2.00', maxStake: '10.00' }, delays: {} }))
    const notices = () => tab.store.getState().notices.notices.map(({ key }) => key)
    tab.store.dispatch(singleStakeSet({ oddId: 201, stake: '1.99' }))
    tab.placeSingles()
    expect(notices()).toEqual(['stakeMin'])
    tab.store.dispatch(singleStakeSet({ oddId: 201, stake: '10.01' }))
    tab.placeSingles()
    expect(notices()).toEqual(['stakeMin', 'stakeMax'])
    await settle()
    expect(tab.sent).toHaveLength(0)
    tab.store.dispatch(singleStakeSet({ oddId: 201, stake: '2.00' }))
    tab.placeSingles()
    await settle()
    expect(tab.sent).toHaveLength(2)
  })

  it('are sent once, however often the button is pressed', async () => {
    const tab = tabOf(never)
    tab.placeSingles()
    tab.placeSingles()
    tab.place()
    await settle()
    expect(tab.sent).toHaveLength(2)
  })

  it('are not sent without a connection, above the balance or during an exclusion', async () => {
    const tab = tabOf(never)
    tab.ask()
    tab.store.dispatch(connectionLost())
    tab.placeSingles()
    tab.come()
    tab.store.dispatch(memberSeen({ ...ANA, balance: '19.99' }))
    tab.placeSingles()
    expect(tab.singles.stage).toBe('idle')
    tab.store.dispatch(memberSeen(ANA))
    tab.ask()
    expect(tab.singles.stage).toBe('confirming')
    addProtection(tab.store)
    tab.store.dispatch(exclusionStarted({ kind: 'self_exclusion', until: null }))
    await settle()
    expect(tab.singles.stage).toBe('idle')
    tab.placeSingles()
    await settle()
    expect(tab.sent).toHaveLength(0)
  })

  it('of an anonymous user lead to the login, and are kept on the ticket', async () => {
    const tab = tabOf(() => UNAUTHORISED)
    tab.placeSingles()
    await settle()
    expect(tab.store.getState().view).toMatchObject({ page: 'login', loginForTicket: true })
    expect(matches(tab)).toEqual([17, 18])
    expect(browser.storage.getItem('cn-singles-order')).toBeNull()
  })
})

describe('an answer that is lost', () => {
  it('is asked for again with the same key, until all outcomes are known', async () => {
    let isOut = true
    const tab = tabOf((id) => (id === 18 && isOut ? NOTHING : taken(String(id))))
    tab.placeSingles()
    await settle()
    expect(fates(tab)).toEqual(['accepted', null])
    expect(tab.singles).toMatchObject({ stage: 'sending', isUnsure: true })
    expect(matches(tab)).toEqual([18])
    isOut = false
    await vi.advanceTimersByTimeAsync(5000)
    expect(fates(tab)).toEqual(['accepted', 'accepted'])
    const keys = tab.sent.filter((order) => matchOf(order) === 18).map(({ key }) => key)
    expect(keys).toHaveLength(2)
    expect(new Set(keys).size).toBe(1)
  })

  it('is never sent again after its minute: an unused key says that it was not placed', async () => {
    const tab = tabOf((id) => (id === null ? FREE : NOTHING))
    tab.placeSingles()
    await vi.advanceTimersByTimeAsync(SENT_AGAIN_MS + 60_000)
    const count = tab.sent.filter((order) => matchOf(order) !== null).length
    await vi.advanceTimersByTimeAsync(ON_ITS_WAY_MS + 120_000)
    expect(tab.sent.filter((order) => matchOf(order) !== null)).toHaveLength(count)
    expect(fates(tab)).toEqual(['notPlaced', 'notPlaced'])
    expect(matches(tab)).toEqual([17, 18])
  })

  it('is not taken for a rejection if the repeated order is rejected while the first may be on its way', async () => {
    let isFirst = true
    const tab = tabOf((id) => {
      if (id === null) {
        return USED
      }
      return isFirst ? NOTHING : rejected('later')
    })
    tab.placeSingles()
    await settle()
    isFirst = false
    await vi.advanceTimersByTimeAsync(30_000)
    // The key is used, so the stored answer is the outcome.
    expect(fates(tab)).toEqual(['refused', 'refused'])
    expect(tab.sent.some((order) => matchOf(order) === null)).toBe(true)
  })
})

describe('a reload', () => {
  it('asks again with the same keys, and shows one receipt', async () => {
    const session = new FakeStorage()
    const before = tabOf((id) => (id === 17 ? taken('A') : never()), session)
    before.placeSingles()
    await settle()
    const keys = before.sent.map(({ key }) => key)
    before.stop()
    const after = tabOf((id) => taken(String(id)), session)
    await settle()
    expect(after.sent.map(({ key }) => key)).toEqual([keys[1]])
    expect(after.singles.stage).toBe('known')
    expect(fates(after)).toEqual(['accepted', 'accepted'])
  })

  it('shows a receipt that was not read, only in the tab that placed it', async () => {
    const session = new FakeStorage()
    const before = tabOf((id) => taken(String(id)), session)
    before.placeSingles()
    await settle()
    before.stop()
    const other = tabOf(never)
    const after = tabOf(never, session)
    await settle()
    expect([other.singles.stage, after.singles.stage]).toEqual(['idle', 'known'])
  })
})

describe('after a reload', () => {
  it('an accepted pair leaves the ticket, also if the ticket arrives later', async () => {
    const session = new FakeStorage()
    const before = tabOf(never, session)
    before.placeSingles()
    await settle()
    before.stop()
    const answers = async (order: Order) => taken(String(matchOf(order)))
    const after = new FakeTab(browser, answers, { session, hasTicket: false })
    await settle()
    expect(fates(after)).toEqual(['accepted', 'accepted'])
    after.receiveTicket()
    await settle()
    expect(matches(after)).toEqual([])
  })

  it('as another user, nothing is asked until the user is back', async () => {
    const before = tabOf(never)
    before.placeSingles()
    await settle()
    before.stop()
    const answers = async (order: Order) => taken(String(matchOf(order)))
    const other = new FakeTab(browser, answers, { user: { ...ANA, name: 'iva' } })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(other.sent).toHaveLength(0)
    expect(other.singles).toMatchObject({ stage: 'sending', login: true })
  })
})

describe('another tab', () => {
  it('may place the next singles before a receipt is read, which then stay stored', async () => {
    const tab = tabOf((id) => taken(String(id)))
    tab.placeSingles()
    await settle()
    tab.stop()
    browser.tabs.splice(0)
    const other = tabOf(never)
    await settle()
    expect(other.singles.stage).toBe('idle')
    other.placeSingles()
    await settle()
    tab.readSingles()
    await settle()
    expect(browser.storage.getItem('cn-singles-order')).not.toBeNull()
  })

  it('places nothing while outcomes are unknown', async () => {
    const tab = tabOf(never)
    const other = tabOf(never)
    tab.placeSingles()
    await settle()
    other.placeSingles()
    other.place()
    await settle()
    expect(other.sent).toHaveLength(0)
  })

  it('that is asked to confirm too finds that they are placed', async () => {
    const tab = tabOf((id) => taken(String(id)))
    const other = tabOf(never)
    tab.ask()
    other.ask()
    await vi.advanceTimersByTimeAsync(10)
    tab.placeSingles()
    await settle()
    other.placeSingles()
    await settle()
    expect(other.sent).toHaveLength(0)
    expect(other.store.getState().notices.notices.map(({ key }) => key)).toContain('placedElsewhere')
  })
})

it('a logout removes what is known of them', async () => {
  const tab = tabOf((id) => taken(String(id)))
  tab.placeSingles()
  await settle()
  tab.store.dispatch(loggedOut())
  await settle()
  expect(tab.singles.stage).toBe('idle')
  expect(browser.storage.getItem('cn-singles-order')).toBeNull()
})
