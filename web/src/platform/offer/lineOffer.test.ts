import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { lookup } from '../../domain/table'
import { aMarket, aMatch, anOdd, anOffer, aSport, aTotal } from '../../testing/builders'
import { type FakeWorld, startFakeWorld } from '../../testing/fakeWorld'
import { addAlerts, priceAlertSet } from '../alerts/alertsSlice'
import { lineChooserTurned, lineChosen, matchClosed, matchOpened } from '../view/viewSlice'

const result = aMarket({ id: 51, odds: [anOdd({ id: 1 })] })
const match = aMatch({ id: 17, markets: [result], rowRevision: 8, detailRevision: 4 })
const whole = { ...match, markets: [result, aTotal('9.5', { id: 53, type: 70 })] }
const offer = anOffer([aSport({ id: 1, matches: [match] })])

const worlds: FakeWorld[] = []

async function live(): Promise<FakeWorld> {
  const world = startFakeWorld({ offer })
  world.fetchMatch.mockResolvedValue(whole)
  worlds.push(world)
  world.hub.socket.hello()
  await world.settle()
  return world
}

const detailOf = ({ store }: FakeWorld) => lookup(store.getState().offer.matches, 17)?.layout

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  for (const world of worlds.splice(0)) {
    world.stop()
  }
  vi.useRealTimers()
})

describe('a match whose lines a row shows', () => {
  const total = (id: number, sbv: string) => [id, 'Golovi', null, null, sbv, 18, 0, 1, [[id * 10, 'Više', 1.5]]]
  const detail = [10, 17, 4, [51, 61], [total(61, '1.5')], null, null]
  const watchOf = (...matches: number[]) => ['watch', { sports: null, favourites: false, matches }]
  const commands = (world: FakeWorld) => world.hub.socket.commands.slice(1).map(([, ...rest]) => rest)

  async function chosen() {
    const world = await live()
    world.hub.onCommand = (socket, [n, verb, id]) =>
      queueMicrotask(() => socket.say(...(verb === 'resync' && id === 17 ? [detail] : []), [1, n, null]))
    world.store.dispatch(lineChooserTurned({ matchId: 17, slot: 1 }))
    await world.settle()
    return world
  }

  it('is watched, and its detail is sent by the hub', async () => {
    const world = await chosen()
    await world.settle()
    expect(commands(world)).toEqual([watchOf(17), ['resync', 17]])
    expect(detailOf(world)).toEqual([51, 61])
    world.store.dispatch(lineChosen({ matchId: 17, type: 18, sbv: '1.5' }))
    await world.settle()
    expect(commands(world).length).toBe(2)
    expect(detailOf(world)).toEqual([51, 61])
    world.store.dispatch(lineChosen({ matchId: 17, type: 18, sbv: null }))
    await world.settle()
    expect(detailOf(world)).toBe(null)
    expect(commands(world).at(-1)).toEqual(watchOf())
  })

  it('keeps its detail when it is opened and closed', async () => {
    const world = await chosen()
    world.store.dispatch(matchOpened(17))
    await world.settle()
    world.store.dispatch(matchClosed())
    await world.settle()
    expect(commands(world).at(-1)).toEqual(watchOf(17))
    expect(detailOf(world)).toEqual([51, 53])
  })

  it('comes back after a lost connection', async () => {
    const world = await chosen()
    world.hub.socket.break()
    await vi.advanceTimersByTimeAsync(250)
    world.hub.socket.hello()
    await world.settle()
    await world.settle()
    expect(world.hub.socket.commands.map(([, ...rest]) => rest)).toEqual([watchOf(17), ['resync', 17]])
    expect(detailOf(world)).toEqual([51, 61])
  })
})

it('a match with an alert for a price is watched', async () => {
  const world = await live()
  addAlerts(world.store)
  world.store.dispatch(priceAlertSet({ matchId: 17, oddId: 1, target: 2000, rises: true }))
  await world.settle()
  expect(world.hub.socket.commands.slice(1).map(([, ...rest]) => rest)).toEqual([
    ['watch', { sports: null, favourites: false, matches: [17] }],
    ['resync', 17],
  ])
})
