import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { selectFavourites } from '../../platform/favourites/favouritesSelectors'
import { favouriteMarked } from '../../platform/favourites/favouritesSlice'
import { selectChoice, selectIsPicked } from '../../platform/ticket/ticketSelectors'
import { wished } from '../../platform/ticket/ticketSlice'
import { selectTicket } from '../../platform/ticket/totalsSelectors'
import { recordTypes } from '../../testing/actionTypes'
import { aMarket, aMatch, anOdd, anOffer, aSport } from '../../testing/builders'
import { FakeTicket } from '../../testing/fakeTicket'
import { type FakeWorld, startFakeWorld } from '../../testing/fakeWorld'
import { aPair } from '../../testing/ticketBuilders'
import { clearTicket } from './restore'

const market = (id: number) =>
  aMarket({
    id,
    odds: [
      anOdd({ id: id + 1, value: 1850 }),
      anOdd({ id: id + 2, value: 3200, type: 'X' }),
      anOdd({ id: id + 3, value: 4100, type: '2' }),
    ],
  })
const offer = anOffer([
  aSport({
    matches: [
      aMatch({ id: 17, markets: [market(100)] }),
      aMatch({ id: 18, markets: [market(200)] }),
      aMatch({ id: 19, markets: [market(300)] }),
    ],
  }),
])
const one = aPair({ matchId: 17, marketId: 100, oddId: 101 })
const other = aPair({ matchId: 17, marketId: 100, oddId: 102 })

let world: FakeWorld
let server: FakeTicket

async function connect() {
  world.hub.socket.hello()
  server.tell(world.hub.socket)
  await world.settle()
}

beforeEach(async () => {
  vi.useFakeTimers()
  world = startFakeWorld({ offer })
  server = new FakeTicket(world.hub, offer)
  await connect()
})

afterEach(() => {
  world.stop()
  vi.useRealTimers()
})

const wish = (entry: Parameters<typeof wished>[0]) => world.store.dispatch(wished(entry))
const choice = () => selectChoice(world.store.getState())
const notices = () => world.store.getState().notices.notices.map(({ key }) => key)

describe('a pick', () => {
  it('is there at once, and is the server’s once it has told it', async () => {
    server.hold()
    wish({ wish: 'pick', pair: one })
    expect(selectIsPicked(world.store.getState(), 101)).toBe(true)
    expect(selectTicket(world.store.getState()).totalOdd).toBe('1.85')
    server.release()
    await world.settle()
    expect(world.store.getState().ticket).toMatchObject({ fresh: true, wishes: [] })
    expect(choice()).toBe(world.store.getState().ticket.told)
    expect(choice().pairs.map(({ oddId }) => oddId)).toEqual([101])
  })

  it('of another odd of the match takes its place', async () => {
    wish({ wish: 'pick', pair: one })
    wish({ wish: 'pick', pair: other })
    expect(choice().pairs.map(({ oddId }) => oddId)).toEqual([102])
    await world.settle()
    expect(choice().pairs.map(({ oddId }) => oddId)).toEqual([102])
  })

  it('dispatches an action for each step', async () => {
    const types = recordTypes(world.store)
    wish({ wish: 'pick', pair: one })
    await world.settle()
    expect(types.filter((type) => /ticket/i.test(type))).toEqual([
      'ticket/wished',
      'ticket/wishSent',
      'connection/ticketReceived',
      'ticket/wishSettled',
    ])
  })

  it('that is refused goes again, and a toast says why', async () => {
    server.refuse.set('pick', 'not_offered')
    wish({ wish: 'pick', pair: one })
    await world.settle()
    expect(choice().pairs).toEqual([])
    expect(notices()).toEqual(['hubRefusedNotOffered'])
  })

  it('that a price has overtaken shows the new price as changed', async () => {
    wish({ wish: 'pick', pair: one })
    await world.settle()
    server.choice = { ...server.choice, pairs: server.choice.pairs.map((pair) => ({ ...pair, oddValue: 1900 })) }
    server.tell(world.hub.socket)
    await world.settle()
    expect(choice().pairs[0]).toMatchObject({ oddValue: 1900, pickedValue: 1850 })
  })
})

it('a pair taken off again before the answer is off, whatever the server toggles', async () => {
  server.hold()
  wish({ wish: 'pick', pair: one })
  wish({ wish: 'drop', matchId: 17 })
  expect(choice().pairs).toEqual([])
  server.release()
  await world.settle()
  expect(choice().pairs).toEqual([])
  expect(server.heard.map(([verb]) => verb)).toEqual(['pick', 'drop'])
})

it('a ticket told anew keeps the pairs that did not change as the very same objects', async () => {
  wish({ wish: 'pick', pair: one })
  wish({ wish: 'pick', pair: aPair({ matchId: 18, marketId: 200, oddId: 201 }) })
  await world.settle()
  const before = choice().pairs
  server.choice = {
    ...server.choice,
    pairs: server.choice.pairs.map((pair) => (pair.matchId === 18 ? { ...pair, oddValue: 2000 } : pair)),
  }
  server.tell(world.hub.socket)
  await world.settle()
  expect(choice().pairs[0]).toBe(before[0])
  expect(choice().pairs[1]).not.toBe(before[1])
})

describe('a connection lost', () => {
  it('before the answer: the wish is said again, and does not undo itself where it had come true', async () => {
    server.hold()
    wish({ wish: 'pick', pair: one })
    await world.settle()
    // The server received the command, but its ack was lost.
    server.choice = { ...server.choice, pairs: [one] }
    server.forget()
    world.hub.socket.break()
    await vi.advanceTimersByTimeAsync(1000)
    expect(choice().pairs.map(({ oddId }) => oddId)).toEqual([101])
    await connect()
    expect(server.heard).toEqual([['pick', 17, 100, 101]])
    expect(choice().pairs.map(({ oddId }) => oddId)).toEqual([101])
    expect(world.store.getState().ticket).toMatchObject({ fresh: true, wishes: [] })
  })

  it('before the answer is an action of its own', async () => {
    server.hold()
    const types = recordTypes(world.store)
    wish({ wish: 'pick', pair: one })
    world.store.dispatch(favouriteMarked(18, true))
    world.hub.socket.break()
    await world.settle()
    expect(types).toEqual(expect.arrayContaining(['ticket/wishLost', 'favourites/markingLost']))
    expect([world.store.getState().ticket.sent, world.store.getState().favourites.sent]).toEqual([[], []])
  })

  it('before it was heard: it is said on the next one', async () => {
    world.hub.socket.break()
    wish({ wish: 'pick', pair: one })
    wish({ wish: 'stake', text: '5.00', stake: '5.00' })
    await vi.advanceTimersByTimeAsync(1000)
    expect(server.heard).toEqual([])
    await connect()
    expect(server.heard).toEqual([
      ['pick', 17, 100, 101],
      ['stake', '5.00'],
    ])
    expect(choice()).toMatchObject({ stake: '5.00', pairs: [{ oddId: 101 }] })
  })
})

describe('a ticket cleared by mistake', () => {
  const undo = () => {
    const [notice] = world.store.getState().notices.notices
    world.store.dispatch(notice?.act?.action ?? { type: 'no toast' })
  }

  it('comes back with its fix and its combination', async () => {
    const third = aPair({ matchId: 19, marketId: 300, oddId: 301 })
    server.choice = {
      ...server.choice,
      type: 1,
      stake: '7.00',
      combination: 1,
      pairs: [{ ...one, isFix: true }, aPair({ matchId: 18, marketId: 200, oddId: 201 }), third],
    }
    server.tell(world.hub.socket)
    await world.settle()
    world.store.dispatch(clearTicket)
    await world.settle()
    expect(server.choice).toMatchObject({ pairs: [], combination: null })
    undo()
    await world.settle()
    expect(choice()).toMatchObject({
      type: 1,
      stake: '7.00',
      combination: 1,
      pairs: [
        { oddId: 101, isFix: true },
        { oddId: 201, isFix: false },
        { oddId: 301, isFix: false },
      ],
    })
    expect(choice()).toBe(world.store.getState().ticket.told)
  })

  it('does not take the place of what was picked meanwhile', async () => {
    wish({ wish: 'pick', pair: one })
    await world.settle()
    world.store.dispatch(clearTicket)
    wish({ wish: 'pick', pair: other })
    undo()
    await world.settle()
    expect(choice().pairs.map(({ oddId }) => oddId)).toEqual([102])
  })
})

describe('the ticket after a system', () => {
  const two = aPair({ matchId: 18, marketId: 200, oddId: 201 })

  async function system() {
    server.choice = { ...server.choice, type: 1, combination: 1, pairs: [one, two] }
    server.tell(world.hub.socket)
    await world.settle()
  }

  it.each<[string, Parameters<typeof wished>[0][]]>([
    ['that is cleared', [{ wish: 'clear' }]],
    [
      'whose pairs are removed',
      [
        { wish: 'drop', matchId: 17 },
        { wish: 'drop', matchId: 18 },
      ],
    ],
  ])('%s is a standard one', async (_, wishes) => {
    await system()
    for (const entry of wishes) {
      wish(entry)
    }
    wish({ wish: 'pick', pair: one })
    await world.settle()
    expect(server.choice).toMatchObject({ type: 0, pairs: [{ oddId: 101 }] })
  })

  it('from which one pair is left is standard until it has two again', async () => {
    await system()
    wish({ wish: 'drop', matchId: 18 })
    await world.settle()
    expect(selectTicket(world.store.getState())).toMatchObject({ type: 0, possibleWin: '1.85' })
    wish({ wish: 'pick', pair: two })
    await world.settle()
    expect(selectTicket(world.store.getState()).type).toBe(1)
  })
})

it('a page that is left sends the last stake without waiting for the answer to an earlier one', async () => {
  server.hold()
  wish({ wish: 'stake', text: '2.00', stake: '2.00' })
  wish({ wish: 'stake', text: '25.00', stake: '25.00' })
  window.dispatchEvent(new Event('pagehide'))
  expect(server.heard.at(-1)).toEqual(['stake', '25.00'])
  server.release()
  await world.settle()
  expect(choice().stake).toBe('25.00')
})

it('of many stakes in a row the first and the last are said', async () => {
  server.hold()
  for (const stake of ['2.00', '3.00', '4.00', '5.00']) {
    wish({ wish: 'stake', text: stake, stake })
  }
  await world.settle()
  expect(choice().stake).toBe('5.00')
  server.release()
  await world.settle()
  expect(server.heard).toEqual([
    ['stake', '2.00'],
    ['stake', '5.00'],
  ])
  expect(choice().stake).toBe('5.00')
})

it('the totals while a wish is on its way are those of the rules', async () => {
  wish({ wish: 'pick', pair: one })
  await world.settle()
  server.hold()
  wish({ wish: 'stake', text: '10.00', stake: '10.00' })
  expect(selectTicket(world.store.getState())).toMatchObject({ stake: '10.00', possibleWin: '18.50' })
})

describe('a favourite', () => {
  it('is one at once, and stays one', async () => {
    server.hold()
    world.store.dispatch(favouriteMarked(18, true))
    expect([...selectFavourites(world.store.getState())]).toEqual([18])
    server.release()
    await world.settle()
    expect(server.favourites).toEqual([18])
    expect([...selectFavourites(world.store.getState())]).toEqual([18])
    expect(world.store.getState().favourites.markings).toEqual([])
  })

  it('for which there is no room is none, and a toast says so', async () => {
    server.refuse.set('favourite', 'too_many_favourites')
    world.store.dispatch(favouriteMarked(18, true))
    await world.settle()
    expect([...selectFavourites(world.store.getState())]).toEqual([])
    expect(notices()).toEqual(['hubRefusedTooManyFavourites'])
  })
})

it('a match of the ticket that leaves the offer is named', async () => {
  wish({ wish: 'pick', pair: one })
  await world.settle()
  server.choice = { ...server.choice, pairs: [] }
  server.tell(world.hub.socket)
  world.hub.socket.say([6, 17])
  await world.settle()
  expect(notices()).toEqual(['noticePairGone'])
  expect(choice().pairs).toEqual([])
})
