import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { makeStore } from '../../app/store'
import { balanceTold, memberSeen, moneyReceived, selectUser, strangerSeen } from '../../platform/account/accountSlice'
import { connectionLost } from '../../platform/connection/connectionSlice'
import { readBet, readProgress } from '../../protocol/readBets'
import { aToldBet, aToldCashOut, aToldPair, aToldSettlement } from '../../testing/betBuilders'
import { type FakeWorld, startFakeWorld } from '../../testing/fakeWorld'
import { addBets, betChanged, betPlaced, betsReceived } from './betsSlice'

const ANA = { name: 'ana', balance: '100.00', currency: 'EUR' }

const WON = {
  ticketId: 'A',
  revision: 3,
  state: 'won',
  results: [{ result: 'won', settledAt: 1_700_000_600_000, factor: '1.85', reason: null }],
  settlement: aToldSettlement(),
  possible: null,
}

describe('the held bets', () => {
  let store: ReturnType<typeof makeStore>
  const held = () => store.getState().bets.held

  beforeEach(() => {
    store = makeStore()
    addBets(store)
    store.dispatch(memberSeen(ANA))
    store.dispatch(betsReceived([readBet(aToldBet('A')), readBet(aToldBet('B', { revision: 4 }))]))
  })

  it('are replaced by a complete list, and those that are settled stay', () => {
    store.dispatch(betChanged({ cause: 'settled', progress: readProgress(WON) }))
    store.dispatch(betsReceived([readBet(aToldBet('C'))]))
    expect(Object.keys(held())).toEqual(['A', 'C'])
  })

  it('keep the highest revision, in whatever order the messages arrive', () => {
    store.dispatch(betChanged({ cause: 'settled', progress: readProgress(WON) }))
    store.dispatch(
      betChanged({ cause: 'pair_decided', progress: readProgress({ ...WON, revision: 2, state: 'open' }) }),
    )
    store.dispatch(betPlaced(readBet(aToldBet('A'))))
    store.dispatch(betsReceived([readBet(aToldBet('A', { revision: 2 })), readBet(aToldBet('B', { revision: 3 }))]))
    expect(held()['A']).toMatchObject({
      revision: 3,
      state: 'won',
      settlement: { paid: '16.77' },
      pairs: [{ home: 'Dinamo Zagreb', result: 'won', factor: '1.85' }],
    })
    expect(held()['B']?.revision).toBe(4)
  })

  it('keep what was cashed out, and the rule, until a change has other ones', () => {
    const cashed = {
      ...WON,
      state: 'open',
      settlement: null,
      remaining: { bruto: '5.00', taxedStake: '4.75' },
      cashOuts: [aToldCashOut()],
      cashOutRule: { atLeast: '12.00' },
    }
    store.dispatch(betChanged({ cause: 'cashed_out', progress: readProgress(cashed) }))
    store.dispatch(betChanged({ cause: 'settled', progress: readProgress({ ...WON, revision: 4 }) }))
    expect(held()['A']).toMatchObject({
      state: 'won',
      remaining: { bruto: '5.00', taxedStake: '4.75' },
      cashOuts: [{ share: '0.5', paid: '7.24' }],
      cashOutRule: { atLeast: '12.00' },
    })
    const removed = { ...cashed, revision: 5, cashOutRule: null }
    store.dispatch(betChanged({ cause: 'cash_out_rule', progress: readProgress(removed) }))
    expect(held()['A']?.cashOutRule).toBeNull()
  })

  it('ignore a change of a bet that is not held', () => {
    store.dispatch(betChanged({ cause: 'settled', progress: readProgress({ ...WON, ticketId: 'X' }) }))
    expect(Object.keys(held())).toEqual(['A', 'B'])
  })

  it('are removed with their bettor', () => {
    store.dispatch(memberSeen({ ...ANA, name: 'marko' }))
    expect(held()).toEqual({})
    store.dispatch(betsReceived([readBet(aToldBet('A'))]))
    store.dispatch(strangerSeen())
    expect(store.getState().bets).toMatchObject({ known: false, held: {} })
  })

  it('of a session whose user is not known yet stay when the user is known', () => {
    const fresh = makeStore()
    addBets(fresh)
    fresh.dispatch(betsReceived([readBet(aToldBet('A'))]))
    fresh.dispatch(memberSeen(ANA))
    expect(Object.keys(fresh.getState().bets.held)).toEqual(['A'])
  })
})

describe('the money', () => {
  const money = (revision: number, balance: string) => moneyReceived({ revision, balance, receivable: '0.00' })

  it('follows the newest revision, also if it arrives before the user is known', () => {
    const store = makeStore()
    store.dispatch(money(7, '70.00'))
    store.dispatch(memberSeen(ANA))
    expect(selectUser(store.getState())?.balance).toBe('70.00')
    store.dispatch(money(6, '60.00'))
    store.dispatch(balanceTold('50.00'))
    expect(selectUser(store.getState())).toEqual({ ...ANA, balance: '70.00', receivable: '0.00' })
  })

  it('follows HTTP answers while the hub is away, and then the hub again', () => {
    const store = makeStore()
    store.dispatch(memberSeen(ANA))
    store.dispatch(money(7, '70.00'))
    store.dispatch(connectionLost())
    store.dispatch(balanceTold('50.00'))
    expect(selectUser(store.getState())?.balance).toBe('50.00')
    store.dispatch(money(7, '70.00'))
    expect(selectUser(store.getState())?.balance).toBe('70.00')
  })

  it('of one user is not shown as that of another', () => {
    const store = makeStore()
    store.dispatch(memberSeen(ANA))
    store.dispatch(money(7, '70.00'))
    store.dispatch(memberSeen({ ...ANA, name: 'marko' }))
    expect(selectUser(store.getState())?.balance).toBe('100.00')
    store.dispatch(strangerSeen())
    store.dispatch(memberSeen(ANA))
    expect(selectUser(store.getState())?.balance).toBe('100.00')
  })
})

describe('the hub', () => {
  let world: FakeWorld

  beforeEach(() => {
    vi.useFakeTimers()
  })

  afterEach(() => {
    world.stop()
    vi.useRealTimers()
  })

  const watches = () => world.hub.socket.commands.filter(([, verb]) => verb === 'watch').map(([, , watch]) => watch)

  it('is asked for the bets of a signed-in user alone', async () => {
    world = startFakeWorld()
    world.hub.socket.hello()
    world.hub.socket.say([17, null])
    await world.settle()
    expect(watches()).toEqual([{ sports: null, favourites: false, matches: [] }])
    world.hub.socket.say([17, { user: 'ana' }])
    await world.settle()
    expect(watches().at(-1)).toEqual({ sports: null, favourites: false, matches: [], bets: true })
  })

  it('is followed from its first report on, although the reducer is loaded later', async () => {
    world = startFakeWorld({ user: ANA })
    world.hub.socket.hello()
    world.hub.socket.say([17, { user: 'ana' }], [18, [aToldBet('A')]])
    expect(world.store.getState().bets.known).toBe(false)
    await world.settle()
    expect(Object.keys(world.store.getState().bets.held)).toEqual(['A'])
  })

  it('changes the bets and the money at once', async () => {
    world = startFakeWorld({ user: ANA })
    world.hub.socket.hello()
    world.hub.socket.say([17, { user: 'ana' }])
    await world.settle()
    const pairs = [aToldPair(), aToldPair({ matchId: 2 })]
    world.hub.socket.say([18, [aToldBet('A', { pairs })]], [21, { revision: 1, balance: '90.00', receivable: '0.00' }])
    world.hub.socket.say([19, aToldBet('B')])
    world.hub.socket.say([20, 'settled', { ...WON, results: [...WON.results, ...WON.results] }])
    world.hub.socket.say([21, { revision: 2, balance: '106.77', receivable: '0.00' }])
    const { bets, account } = world.store.getState()
    expect([bets.known, bets.held['A']?.state, bets.held['B']?.state]).toEqual([true, 'won', 'open'])
    expect(account.user?.balance).toBe('106.77')
  })
})
