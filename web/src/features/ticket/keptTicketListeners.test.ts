import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { loggedOut, memberSeen, strangerSeen } from '../../platform/account/accountSlice'
import { lostPairsRead, selectLostPairs, selectWaitingTicket } from '../../platform/ticket/keptTicketSlice'
import { selectChoice } from '../../platform/ticket/ticketSelectors'
import { wished } from '../../platform/ticket/ticketSlice'
import { pageOpened } from '../../platform/view/viewSlice'
import { aMarket, aMatch, anOdd, anOffer, aSport } from '../../testing/builders'
import { FakeTicket } from '../../testing/fakeTicket'
import { type FakeWorld, startFakeWorld } from '../../testing/fakeWorld'
import { aPair } from '../../testing/ticketBuilders'

const offerOf = (...ids: number[]) =>
  anOffer([
    aSport({
      matches: ids.map((id) =>
        aMatch({ id, markets: [aMarket({ id: id * 10, odds: [anOdd({ id: id * 10 + 1, value: 1850 })] })] }),
      ),
    }),
  ])
const pairOf = (id: number, home: string) =>
  aPair({ matchId: id, marketId: id * 10, oddId: id * 10 + 1, home, away: 'Gosti' })
const one = pairOf(17, 'Rijeka')
const two = pairOf(18, 'Zadar')

let world: FakeWorld
let server: FakeTicket

async function connect() {
  world.hub.socket.hello()
  server.tell(world.hub.socket)
  await world.settle()
}

/** The server is started again: other matches, and a ticket with these pairs. */
async function restart({ matches, pairs }: { matches: number[]; pairs: (typeof one)[] }) {
  world.hub.socket.break()
  world.fetchOffer.mockResolvedValue(offerOf(...matches))
  server.choice = { ...server.choice, pairs }
  await vi.advanceTimersByTimeAsync(1000)
  await connect()
}

beforeEach(async () => {
  vi.useFakeTimers()
  world = startFakeWorld({ offer: offerOf(17, 18) })
  server = new FakeTicket(world.hub, offerOf(17, 18))
  server.choice = { ...server.choice, type: 1, combination: 1, pairs: [one, two] }
  await connect()
})

afterEach(() => {
  world.stop()
  vi.useRealTimers()
})

const lost = () => selectLostPairs(world.store.getState()).map(({ home }) => home)
const waiting = () => selectWaitingTicket(world.store.getState())?.pairs.map(({ home }) => home)
const notices = () => world.store.getState().notices.notices.map(({ key, values }) => [key, values['matches']])

describe('after a restart of the server', () => {
  it('the pairs whose matches are gone are named, and the next ticket is a standard one', async () => {
    await restart({ matches: [27, 28], pairs: [] })
    expect(lost()).toEqual(['Rijeka', 'Zadar'])
    expect(notices()).toContainEqual(['noticePairsLost', 'Rijeka – Gosti, Zadar – Gosti'])
    expect(server.choice.type).toBe(0)
  })

  it('pairs that the server drops only later are named too', async () => {
    await restart({ matches: [27, 28], pairs: [one, two] })
    expect(lost()).toEqual([])
    server.choice = { ...server.choice, pairs: [two] }
    server.tell(world.hub.socket)
    await world.settle()
    expect(lost()).toEqual(['Rijeka'])
  })

  it('a pair that was removed elsewhere meanwhile is not', async () => {
    await restart({ matches: [17, 18], pairs: [two] })
    expect(lost()).toEqual([])
    expect(notices()).toEqual([])
  })

  it('they are shown until they are read, or an odd is picked', async () => {
    await restart({ matches: [27], pairs: [two] })
    world.store.dispatch(wished({ wish: 'pick', pair: pairOf(27, 'Split') }))
    expect(lost()).toEqual([])
    await restart({ matches: [37], pairs: [] })
    expect(lost()).not.toEqual([])
    world.store.dispatch(lostPairsRead())
    expect(lost()).toEqual([])
  })
})

it('a match that the hub removes is named by its notice alone', async () => {
  server.choice = { ...server.choice, pairs: [two] }
  server.tell(world.hub.socket)
  world.hub.socket.say([6, 17])
  await world.settle()
  world.hub.socket.say([6, 18])
  server.choice = { ...server.choice, pairs: [] }
  await world.settle()
  server.tell(world.hub.socket)
  await world.settle()
  expect(lost()).toEqual([])
  expect(notices().map(([key]) => key)).toEqual(['noticePairGone', 'noticePairGone'])
})

describe('the ticket that waits for a login', () => {
  const ANA = { name: 'ana', balance: '100.00', currency: 'EUR' }

  /** The session is replaced by an anonymous one with an empty ticket. */
  async function loseSession() {
    server.choice = { ...server.choice, pairs: [] }
    world.hub.socket.break()
    await vi.advanceTimersByTimeAsync(1000)
    await connect()
  }

  it('is kept when placing asks for the login', async () => {
    world.store.dispatch(pageOpened('login', true))
    await loseSession()
    expect(waiting()).toEqual(['Rijeka', 'Zadar'])
  })

  it('is kept when the session of a member ends', async () => {
    world.store.dispatch(memberSeen(ANA))
    await loseSession()
    world.store.dispatch(strangerSeen())
    expect(waiting()).toEqual(['Rijeka', 'Zadar'])
    world.store.dispatch(memberSeen(ANA))
    expect(waiting()).toBeUndefined()
  })

  it('is offered again after the login, if the account does not have it', async () => {
    world.store.dispatch(memberSeen(ANA))
    await loseSession()
    world.store.dispatch(strangerSeen())
    world.store.dispatch(memberSeen(ANA))
    await vi.advanceTimersByTimeAsync(0)
    server.tell(world.hub.socket)
    await world.settle()
    const notice = world.store.getState().notices.notices.find(({ key }) => key === 'ticketKept')
    expect(notice?.values).toEqual({ count: 2 })
    world.store.dispatch(notice?.act?.action ?? { type: 'none' })
    expect(selectChoice(world.store.getState()).pairs.map(({ home }) => home)).toEqual(['Rijeka', 'Zadar'])
  })

  it('is not offered if the account has a ticket, or to another user', async () => {
    const { pairs } = server.choice
    world.store.dispatch(memberSeen(ANA))
    await loseSession()
    world.store.dispatch(strangerSeen())
    world.store.dispatch(memberSeen(ANA))
    server.choice = { ...server.choice, pairs }
    server.tell(world.hub.socket)
    await world.settle()
    await loseSession()
    world.store.dispatch(strangerSeen())
    world.store.dispatch(memberSeen({ ...ANA, name: 'ivo' }))
    server.tell(world.hub.socket)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(notices().filter(([key]) => key === 'ticketKept')).toEqual([])
  })

  it('is not kept after a logout', async () => {
    world.store.dispatch(memberSeen(ANA))
    world.store.dispatch(loggedOut())
    world.store.dispatch(strangerSeen())
    await loseSession()
    expect(waiting()).toBeUndefined()
  })

  describe('after a reload', () => {
    const KEY = 'cn-waitingTicket'
    const kept = () => sessionStorage.getItem(KEY)

    /** The page is loaded again, by a stranger whose ticket is empty. */
    async function reload() {
      world.stop()
      world = startFakeWorld({ offer: offerOf(17, 18) })
      server = new FakeTicket(world.hub, offerOf(17, 18))
      await connect()
      world.store.dispatch(strangerSeen())
    }

    async function loseMember() {
      world.store.dispatch(memberSeen(ANA))
      await loseSession()
      world.store.dispatch(strangerSeen())
    }

    it('is the same', async () => {
      await loseMember()
      const before = selectWaitingTicket(world.store.getState())
      await reload()
      expect(before).toMatchObject({ type: 1, combination: 1, pairs: [one, two] })
      expect(selectWaitingTicket(world.store.getState())).toMatchObject({ ...before })
    })

    it('is offered again to its owner', async () => {
      await loseMember()
      await reload()
      world.store.dispatch(memberSeen(ANA))
      await vi.advanceTimersByTimeAsync(0)
      server.tell(world.hub.socket)
      await world.settle()
      expect(notices().map(([key]) => key)).toContain('ticketKept')
      expect(kept()).toBe(null)
    })

    it.each([
      ['a logout', () => world.store.dispatch(loggedOut())],
      ['a login', () => world.store.dispatch(memberSeen({ ...ANA, name: 'ivo' }))],
      ['clearing the ticket', () => world.store.dispatch(wished({ wish: 'clear' }))],
    ])('is gone by %s', async (_, act) => {
      await loseMember()
      expect(kept()).not.toBe(null)
      act()
      expect([kept(), waiting()]).toEqual([null, undefined])
      await reload()
      expect(waiting()).toBeUndefined()
    })

    it('is gone if its last pair is removed by the bettor', async () => {
      world.store.dispatch(pageOpened('login', true))
      world.store.dispatch(wished({ wish: 'drop', matchId: 17 }))
      expect(waiting()).toHaveLength(2)
      world.store.dispatch(wished({ wish: 'drop', matchId: 18 }))
      expect([kept(), waiting()]).toEqual([null, undefined])
    })

    it('is not shown to a member', async () => {
      await loseMember()
      world.stop()
      world = startFakeWorld({ preloaded: { account: { status: 'member', user: ANA } } })
      await world.settle()
      expect([kept(), waiting()]).toEqual([null, undefined])
    })

    it.each([
      ['no JSON', () => '{'],
      ['another version', () => '{"owner":"ana","ticket":{"pairs":[{}]}}'],
      ['no pairs', (text: string) => JSON.stringify({ ...JSON.parse(text), ticket: { pairs: [] } })],
      ['too long a text', (text: string) => text + ' '.repeat(100_000)],
    ])('is not shown from %s', async (_, broken) => {
      await loseMember()
      sessionStorage.setItem(KEY, broken(kept() ?? ''))
      await reload()
      expect(waiting()).toBeUndefined()
    })
  })
})
