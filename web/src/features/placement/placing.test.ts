import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { OrderAnswer } from '../../api/order'
import { DEFAULT_RULES } from '../../domain/ticket/rules'
import { loggedOut, memberSeen, selectUser } from '../../platform/account/accountSlice'
import { connectionLost } from '../../platform/connection/connectionSlice'
import { rulesTold } from '../../platform/ticket/rulesSlice'
import { selectPairCount } from '../../platform/ticket/ticketSelectors'
import { recordTypes } from '../../testing/actionTypes'
import { ANA, FakeBrowser, FakeTab, NOTHING, TAKEN } from '../../testing/fakePlacing'
import { ON_ITS_WAY_MS, POPUP_MS, SENT_AGAIN_MS } from './placing'

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

/** Returns the answers in order and repeats the last one. */
function inTurn(...answers: OrderAnswer[]) {
  return async () => (answers.length > 1 ? answers.shift() : answers[0]) ?? NOTHING
}

const never = () => new Promise<OrderAnswer>(() => undefined)

describe('a bet that is taken', () => {
  it('is asked about, waits its seconds, and ends with its receipt and an empty ticket', async () => {
    let take: (answer: OrderAnswer) => void = () => undefined
    const tab = new FakeTab(browser, () => new Promise((resolve) => (take = resolve)))
    tab.ask()
    expect(tab.placement.stage).toBe('confirming')
    tab.confirm()
    // The longest delay of all sports applies.
    expect(tab.placement).toMatchObject({ stage: 'waiting', delaySeconds: 8 })
    await settle()
    take(TAKEN)
    await settle()
    expect(tab.placement).toMatchObject({
      stage: 'known',
      outcome: { kind: 'accepted', receipt: { ticketId: 'T1', stake: '10.00', payout: '18.50' } },
    })
    expect(selectUser(tab.store.getState())?.balance).toBe('90.00')
    expect(selectPairCount(tab.store.getState())).toBe(0)
    tab.read()
    expect(browser.storage.getItem('cn-placement')).toBeNull()
  })

  it('is sent as the contract says', async () => {
    const tab = new FakeTab(browser, inTurn(TAKEN))
    tab.place()
    await settle()
    expect(JSON.parse(tab.sent[0]?.body ?? '')).toEqual({
      stake: '10.00',
      bruto: '10.00',
      potentialWin: '34.23',
      winTax: '0.00',
      payout: '34.23',
      systemType: 0,
      consentForChangedOdss: false,
      oddsPolicy: 'higher',
      pairs: [17, 18].map((matchId) => ({
        matchId,
        marketId: matchId === 17 ? 101 : 201,
        marketType: 1,
        marketSubType: 0,
        sbv: null,
        oddType: '1',
        oddValue: 1.85,
        isFix: false,
      })),
    })
  })

  it('at other prices has the total odd that the rules leave of them', async () => {
    const tab = new FakeTab(
      browser,
      inTurn({ ...TAKEN, body: { ...TAKEN.body, pairs: [{ matchId: 17, oddValue: 4 }] } }),
    )
    tab.store.dispatch(rulesTold({ rules: { ...DEFAULT_RULES, maxTotalOdd: '5' }, delays: {} }))
    tab.place()
    await settle()
    expect(tab.placement).toMatchObject({
      outcome: { receipt: { totalOdd: '5', ticket: { pairs: [{ oddValue: 4000 }, { oddValue: 1850 }] } } },
    })
  })

  it('is stored with its key before it is sent', async () => {
    const tab = new FakeTab(browser, never)
    tab.place()
    await settle()
    const stored = JSON.parse(browser.storage.getItem('cn-placement') ?? '{}')
    expect(stored).toMatchObject({ key: tab.sent[0]?.key, body: tab.sent[0]?.body, user: 'ana', outcome: null })
  })

  it('is not sent while the connection is lost: the question waits for what is offered now', async () => {
    const tab = new FakeTab(browser, inTurn(TAKEN))
    tab.ask()
    tab.store.dispatch(connectionLost())
    tab.confirm()
    await settle()
    expect([tab.sent.length, tab.placement.stage]).toEqual([0, 'confirming'])
    tab.come()
    tab.confirm()
    await settle()
    expect(tab.placement.stage).toBe('known')
  })

  it('is one bet, however often it is said', async () => {
    const tab = new FakeTab(browser, never)
    tab.place()
    tab.confirm()
    tab.ask()
    tab.confirm()
    await settle()
    expect(tab.sent.length).toBe(1)
  })
})

describe('an answer', () => {
  it.each<[string, OrderAnswer, object]>([
    [
      '400 with its reason',
      { status: 400, text: 'Kvota', body: {} },
      { kind: 'refused', reason: 'Kvota', changes: [] },
    ],
    [
      '400 with its pairs',
      {
        status: 400,
        text: 'Kvota',
        body: {
          pairs: [
            { matchId: 17, marketId: 101, oddValue: 1.85, currentValue: 1.9, reason: null },
            { matchId: 18, marketId: 201, oddValue: 1.85, currentValue: null, reason: 'match_suspended' },
            { matchId: 19, marketId: 301, oddValue: 1.85, currentValue: null, reason: 'of_later' },
            null,
          ],
        },
      },
      {
        kind: 'refused',
        reason: 'Kvota',
        changes: [
          { matchId: 17, oddId: 101, sentValue: 1850, currentValue: 1900, reason: null },
          { matchId: 18, oddId: 201, sentValue: 1850, currentValue: null, reason: 'match_suspended' },
          { matchId: 19, oddId: 301, sentValue: 1850, currentValue: null, reason: 'unknown' },
        ],
      },
    ],
    ['400 without', { status: 400, text: null, body: {} }, { kind: 'failed' }],
    ['409', { status: 409, text: 'x', body: {} }, { kind: 'failed' }],
    ['429', { status: 429, text: null, body: {} }, { kind: 'failed' }],
    ['404', { status: 404, text: null, body: {} }, { kind: 'failed' }],
  ])('of %s is known', async (_, answer, outcome) => {
    const tab = new FakeTab(browser, inTurn(answer))
    tab.place()
    await settle()
    expect(tab.placement).toMatchObject({ stage: 'known', outcome })
    expect(selectPairCount(tab.store.getState())).toBe(2)
  })

  it('of 401 leads to the login, with the ticket kept', async () => {
    const tab = new FakeTab(browser, inTurn({ status: 401, text: null, body: {} }))
    tab.place()
    await settle()
    expect(tab.placement.stage).toBe('idle')
    expect(tab.store.getState().view).toMatchObject({ page: 'login', loginForTicket: true })
    expect(selectPairCount(tab.store.getState())).toBe(2)
    expect(browser.storage.getItem('cn-placement')).toBeNull()
  })

  it.each([
    [500, 'communicationError'],
    [503, 'error'],
  ])('of %i says so, and is asked for again with the same key and body until it is known', async (status, said) => {
    const tab = new FakeTab(browser, inTurn({ status, text: null, body: {} }, TAKEN))
    tab.place()
    await settle()
    expect(tab.placement).toMatchObject({ stage: 'unknown', said })
    await vi.advanceTimersByTimeAsync(5000)
    expect(tab.placement).toMatchObject({ stage: 'known', outcome: { kind: 'accepted' } })
    expect(tab.sent.length).toBe(2)
    expect(tab.sent[1]).toMatchObject({ key: tab.sent[0]?.key, body: tab.sent[0]?.body })
  })
})

describe('a rejected bet', () => {
  const REJECTED: OrderAnswer = {
    status: 400,
    text: 'Kvota',
    body: { pairs: [{ matchId: 17, marketId: 101, oddValue: 1.85, currentValue: 1.9, reason: null }] },
  }
  const NEW_PRICES = new Map([[17, 1900]])

  it('is placed again as a new order, at the accepted prices', async () => {
    const tab = new FakeTab(browser, inTurn(REJECTED, TAKEN))
    tab.place()
    await settle()
    tab.placeAgain(NEW_PRICES)
    expect(tab.placement.stage).toBe('waiting')
    await settle()
    expect(tab.placement).toMatchObject({ stage: 'known', outcome: { kind: 'accepted' } })
    expect(tab.sent[1]?.key).not.toBe(tab.sent[0]?.key)
    const body = JSON.parse(tab.sent[1]?.body ?? '')
    expect(body).toMatchObject({ potentialWin: '35.15', payout: '35.15' })
    expect(body.pairs.map(({ oddValue }: { oddValue: number }) => oddValue)).toEqual([1.9, 1.85])
    expect(selectPairCount(tab.store.getState())).toBe(0)
  })

  it('is placed again once, however often it is pressed, and only while the offer is current', async () => {
    const tab = new FakeTab(browser, inTurn(REJECTED, TAKEN))
    tab.place()
    await settle()
    tab.store.dispatch(connectionLost())
    tab.placeAgain(NEW_PRICES)
    await settle()
    expect(tab.sent.length).toBe(1)
    tab.come()
    tab.placeAgain(NEW_PRICES)
    tab.placeAgain(NEW_PRICES)
    await settle()
    expect(tab.sent.length).toBe(2)
    tab.placeAgain(NEW_PRICES)
    await settle()
    expect(tab.sent.length).toBe(2)
  })

  it('is not placed again after another tab has placed one', async () => {
    const first = new FakeTab(browser, inTurn(REJECTED, TAKEN))
    const second = new FakeTab(browser, inTurn(TAKEN))
    first.place()
    await settle()
    await vi.advanceTimersByTimeAsync(1000)
    second.place()
    await settle()
    first.placeAgain(NEW_PRICES)
    await settle()
    expect(first.sent.length).toBe(1)
  })
})

describe('no answer at all', () => {
  it('empties the ticket, shows the popup for 3 s, and goes on asking', async () => {
    const tab = new FakeTab(browser, inTurn(NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, TAKEN))
    tab.place()
    await settle()
    expect(tab.placement).toMatchObject({ stage: 'unknown', said: 'popup' })
    expect(selectPairCount(tab.store.getState())).toBe(0)
    await vi.advanceTimersByTimeAsync(POPUP_MS - 1)
    expect(tab.placement).toMatchObject({ said: 'popup' })
    await vi.advanceTimersByTimeAsync(1)
    expect(tab.placement).toMatchObject({ stage: 'unknown', said: 'nothing' })
    await vi.advanceTimersByTimeAsync(30_000)
    expect(tab.placement).toMatchObject({ stage: 'known', outcome: { kind: 'accepted' } })
    expect(new Set(tab.sent.map(({ key, body }) => key + body)).size).toBe(1)
  })

  it('keeps another bet from being placed', async () => {
    const tab = new FakeTab(browser, inTurn(NOTHING))
    tab.place()
    await settle()
    tab.ask()
    expect(tab.placement.stage).toBe('unknown')
  })

  it('is never asked about as somebody else', async () => {
    const tab = new FakeTab(browser, inTurn(NOTHING, TAKEN), { user: { ...ANA, name: 'ivo' } })
    tab.place()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(tab.sent.length).toBe(1)
    expect(tab.placement).toMatchObject({ stage: 'unknown', login: true })
  })
})

describe('an order that no server has heard of', () => {
  /** The answer to the question body: the key is free (CONTRACT 4: only 200 and a late 400 use it up). */
  const FREE: OrderAnswer = { status: 400, text: 'malformed', body: {} }
  const USED: OrderAnswer = { status: 409, text: 'used', body: {} }
  const bodies = (tab: FakeTab) => tab.sent.map(({ body }) => body)

  /** A server that is away for one hour, then answers questions and orders as given. */
  function awayAnHour(says: { question: OrderAnswer; order: OrderAnswer }) {
    const backMs = Date.now() + 3_600_000
    const tab: FakeTab = new FakeTab(browser, async () => {
      const isOrder = tab.sent.at(-1)?.body === tab.sent[0]?.body
      return Date.now() < backMs ? NOTHING : isOrder ? says.order : says.question
    })
    return tab
  }

  it('is not placed when nobody thinks of it any more: its key is asked about, until it was free twice', async () => {
    const tab = awayAnHour({ question: FREE, order: TAKEN })
    tab.place()
    await vi.advanceTimersByTimeAsync(SENT_AGAIN_MS + 60_000)
    const orders = bodies(tab).filter((body) => body !== '{}').length
    await vi.advanceTimersByTimeAsync(3_600_000)
    // The key was free once. A request that timed out may still arrive.
    expect(tab.placement.stage).toBe('unknown')
    await vi.advanceTimersByTimeAsync(ON_ITS_WAY_MS + 10_000)
    expect(tab.placement).toMatchObject({ stage: 'known', outcome: { kind: 'notPlaced' } })
    expect(bodies(tab).filter((body) => body !== '{}').length).toBe(orders)
    expect(new Set(tab.sent.map(({ key }) => key)).size).toBe(1)
    const count = tab.sent.length
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(tab.sent.length).toBe(count)
    tab.read()
    expect(browser.storage.getItem('cn-placement')).toBeNull()
  })

  it('but that was taken all the same has its receipt: a key that is used is asked for its answer', async () => {
    const tab = awayAnHour({ question: USED, order: TAKEN })
    tab.place()
    await vi.advanceTimersByTimeAsync(3_600_000 + 10_000)
    expect(tab.placement).toMatchObject({ stage: 'known', outcome: { kind: 'accepted' } })
  })

  it('is not called lost by one that comes late', async () => {
    let asked = 0
    const tab: FakeTab = new FakeTab(browser, async () => {
      if (tab.sent.at(-1)?.body !== '{}') {
        return asked > 1 ? TAKEN : NOTHING
      }
      asked += 1
      return asked === 1 ? FREE : USED
    })
    tab.place()
    await vi.advanceTimersByTimeAsync(SENT_AGAIN_MS + ON_ITS_WAY_MS + 60_000)
    expect(asked).toBe(2)
    expect(tab.placement).toMatchObject({ stage: 'known', outcome: { kind: 'accepted' } })
  })

  it('of a clock that was set back is asked about too', async () => {
    const tab = awayAnHour({ question: FREE, order: TAKEN })
    tab.place()
    await settle()
    vi.setSystemTime(Date.now() - 3_600_000)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(bodies(tab).at(-1)).toBe('{}')
  })

  it.each([400, 401, 403, 404, 429, 500, 503])('says nothing by a question answered with %i', async (status) => {
    const tab = awayAnHour({ question: { status, text: null, body: {} }, order: TAKEN })
    tab.place()
    await vi.advanceTimersByTimeAsync(2 * 3_600_000)
    expect(tab.placement.stage).toBe('unknown')
  })

  it('is known not to be placed over a reload', async () => {
    const before = awayAnHour({ question: FREE, order: TAKEN })
    before.place()
    await vi.advanceTimersByTimeAsync(3_700_000 + ON_ITS_WAY_MS)
    before.stop()
    browser.tabs.pop()
    const after = new FakeTab(browser, never, { session: before.session })
    expect(after.placement).toMatchObject({ stage: 'known', outcome: { kind: 'notPlaced' } })
  })
})

describe('a 400 to an order that is sent again', () => {
  const REFUSED: OrderAnswer = { status: 400, text: 'Kvota', body: {} }
  const FREE: OrderAnswer = { status: 400, text: 'malformed', body: {} }
  const USED: OrderAnswer = { status: 409, text: 'used', body: {} }

  /** A tab that loses its first request. Questions and later orders get separate answers. */
  function lostFirst(questions: OrderAnswer[], orders: OrderAnswer[]) {
    const question = inTurn(...questions)
    const order = inTurn(NOTHING, ...orders)
    const tab: FakeTab = new FakeTab(browser, () => (tab.sent.at(-1)?.body === '{}' ? question() : order()))
    return tab
  }

  it('is not believed: another server may still accept the bet', async () => {
    const tab = lostFirst([FREE, USED], [REFUSED, TAKEN])
    tab.place()
    await vi.advanceTimersByTimeAsync(POPUP_MS + 10_000)
    expect(tab.placement).toMatchObject({ stage: 'unknown' })
    await vi.advanceTimersByTimeAsync(ON_ITS_WAY_MS + 30_000)
    expect(tab.placement).toMatchObject({ stage: 'known', outcome: { kind: 'accepted' } })
  })

  it('is final where the key was used: it is the kept answer', async () => {
    const tab = lostFirst([USED], [REFUSED])
    tab.place()
    await vi.advanceTimersByTimeAsync(POPUP_MS + 20_000)
    expect(tab.placement).toMatchObject({ stage: 'known', outcome: { kind: 'refused', reason: 'Kvota', changes: [] } })
  })

  it('means that no bet was placed after two questions found the key free, and the order is not sent again', async () => {
    const tab = lostFirst([FREE], [REFUSED])
    tab.place()
    await vi.advanceTimersByTimeAsync(POPUP_MS + ON_ITS_WAY_MS)
    expect(tab.placement.stage).toBe('unknown')
    await vi.advanceTimersByTimeAsync(40_000)
    expect(tab.placement).toMatchObject({ stage: 'known', outcome: { kind: 'notPlaced' } })
    expect(tab.sent.map(({ body }) => body === '{}')).toEqual([false, false, true, true])
  })
})

describe('the steps', () => {
  const stepsOf = (types: readonly string[]) =>
    types.filter((type) => type.startsWith('placement/')).map((type) => type.replace('placement/', ''))

  it('of a bet with an answer are actions', async () => {
    const tab = new FakeTab(browser, inTurn(TAKEN))
    const types = recordTypes(tab.store)
    tab.place()
    await settle()
    tab.read()
    expect(stepsOf(types)).toEqual([
      'confirmationAsked',
      'betConfirmed',
      'placementSent',
      'requestSent',
      'requestAnswered',
      'outcomeKnown',
      'outcomeRead',
    ])
  })

  it('of finding out an unknown outcome are actions, and the state holds how far they are', async () => {
    const free: OrderAnswer = { status: 400, text: 'malformed', body: {} }
    const tab = new FakeTab(browser, inTurn(NOTHING, free, free, TAKEN))
    const types = recordTypes(tab.store)
    tab.place()
    await vi.advanceTimersByTimeAsync(POPUP_MS + 2000)
    expect(tab.placement).toMatchObject({ inquiry: { waits: 2, wasFree: true, isDoubted: true } })
    expect(stepsOf(types).slice(2)).toEqual([
      'placementSent',
      'requestSent',
      'requestAnswered',
      'outcomeUnknown',
      'unknownRead',
      'requestDelayed',
      'outcomeUnknown',
      'requestSent',
      'requestAnswered',
      'rejectionDoubted',
      'requestDelayed',
      'outcomeUnknown',
      'requestSent',
      'requestAnswered',
      'keyFree',
    ])
  })
})

describe('a logout', () => {
  it('removes the last bet from the storage once its outcome is known', async () => {
    const tab = new FakeTab(browser, inTurn(TAKEN))
    tab.place()
    await settle()
    expect(browser.storage.getItem('cn-placement')).toContain('ana')
    tab.store.dispatch(loggedOut())
    await settle()
    expect(browser.storage.getItem('cn-placement')).toBeNull()
    expect(tab.placement.stage).toBe('idle')
  })

  it('removes the bet of another tab too', async () => {
    const first = new FakeTab(browser, inTurn(TAKEN))
    const second = new FakeTab(browser, never)
    first.place()
    await settle()
    second.store.dispatch(loggedOut())
    await settle()
    expect(browser.storage.getItem('cn-placement')).toBeNull()
    expect(first.placement.stage).toBe('idle')
  })

  it('keeps a bet whose outcome is not known, so that its bettor can still learn it', async () => {
    const tab = new FakeTab(browser, inTurn(NOTHING))
    tab.place()
    await settle()
    tab.store.dispatch(loggedOut())
    await settle()
    expect(browser.storage.getItem('cn-placement')).toContain('ana')
    expect(tab.placement.stage).toBe('unknown')
  })

  it('that was missed is made up for when somebody else is logged in', async () => {
    const before = new FakeTab(browser, inTurn(TAKEN))
    before.place()
    await settle()
    browser.tabs.pop()
    before.stop()
    const after = new FakeTab(browser, never)
    after.store.dispatch(memberSeen({ ...ANA, name: 'ivo' }))
    await settle()
    expect(browser.storage.getItem('cn-placement')).toBeNull()
  })
})

describe('a reload', () => {
  it('while it is on its way asks again with the same key, and shows what came of it', async () => {
    const before = new FakeTab(browser, never)
    before.place()
    await settle()
    browser.tabs.pop()
    before.stop()
    await settle()
    const after = new FakeTab(browser, inTurn(TAKEN), { session: before.session })
    expect(after.placement).toMatchObject({ stage: 'unknown', said: 'nothing' })
    await settle()
    expect(after.placement).toMatchObject({ stage: 'known', outcome: { kind: 'accepted' } })
    expect(after.sent[0]).toMatchObject({ key: before.sent[0]?.key, body: before.sent[0]?.body })
  })

  it('finds nothing to show in a receipt of another version', async () => {
    const before = new FakeTab(browser, inTurn(TAKEN))
    before.place()
    await settle()
    browser.tabs.pop()
    before.stop()
    const stored = JSON.parse(browser.storage.getItem('cn-placement') ?? '{}')
    browser.storage.setItem('cn-placement', JSON.stringify({ ...stored, outcome: { kind: 'accepted' } }))
    const after = new FakeTab(browser, never, { session: before.session })
    expect(after.placement).toEqual({ stage: 'idle' })
  })

  it('after the answer shows the receipt until it has been read', async () => {
    const before = new FakeTab(browser, inTurn(TAKEN))
    before.place()
    await settle()
    browser.tabs.pop()
    before.stop()
    const after = new FakeTab(browser, never, { session: before.session })
    expect(after.placement).toMatchObject({ stage: 'known' })
    after.read()
    const later = new FakeTab(browser, never, { session: before.session })
    expect(later.placement).toEqual({ stage: 'idle' })
  })
})

describe('two tabs', () => {
  it('have one balance', async () => {
    const first = new FakeTab(browser, inTurn(TAKEN))
    const second = new FakeTab(browser, never)
    first.place()
    await settle()
    expect(selectUser(second.store.getState())?.balance).toBe('90.00')
    expect(second.placement.stage).toBe('idle')
  })

  it('that place at once place one bet', async () => {
    const first = new FakeTab(browser, never)
    const second = new FakeTab(browser, never)
    first.ask()
    second.ask()
    first.confirm()
    second.confirm()
    await settle()
    expect(first.sent.length + second.sent.length).toBe(1)
    expect(second.store.getState().notices.notices.map(({ key }) => key)).toEqual(['placedElsewhere'])
  })

  it('of which one was asking while the other placed place one bet', async () => {
    const first = new FakeTab(browser, inTurn(TAKEN))
    const second = new FakeTab(browser, inTurn(TAKEN))
    second.ask()
    first.place()
    await settle()
    second.confirm()
    await settle()
    expect(first.sent.length + second.sent.length).toBe(1)
  })

  it('of which one has a receipt to read while the other places: what is read is not the other one’s bet', async () => {
    const first = new FakeTab(browser, inTurn(TAKEN))
    const second = new FakeTab(browser, never)
    first.place()
    await settle()
    await vi.advanceTimersByTimeAsync(1000)
    second.place()
    await settle()
    expect(second.sent.length).toBe(1)
    first.read()
    expect(first.placement.stage).toBe('idle')
    expect(JSON.parse(browser.storage.getItem('cn-placement') ?? '{}')).toMatchObject({ key: second.sent[0]?.key })
  })

  it('of which one is closed on the way: the other learns what came of it', async () => {
    const first = new FakeTab(browser, never)
    const second = new FakeTab(browser, inTurn(TAKEN))
    first.place()
    await settle()
    first.stop()
    browser.tabs.shift()
    await settle()
    await settle()
    expect(second.placement).toMatchObject({ stage: 'known', outcome: { kind: 'accepted' } })
    expect(second.sent[0]?.key).toBe(first.sent[0]?.key)
  })
})
