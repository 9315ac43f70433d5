import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { memberSeen, strangerSeen } from '../../platform/account/accountSlice'
import { type FakeWorld, startFakeWorld } from '../../testing/fakeWorld'
import { continued } from './realityState'

const ANA = { name: 'ana', balance: '100.00', currency: 'EUR' }
const MESSAGE = [23, { time: 3_900_000, staked: '12.00', returned: '3.50' }]
const CHECK = { timeMs: 3_900_000, staked: '12.00', returned: '3.50' }

let world: FakeWorld

beforeEach(async () => {
  vi.useFakeTimers()
  world = startFakeWorld({ user: ANA })
  world.hub.socket.hello()
  world.hub.socket.say([17, { user: 'ana' }])
  await world.settle()
  world.hub.socket.say(MESSAGE)
})

afterEach(() => world.stop())

const reality = () => world.store.getState().reality

test('the check of the hub is kept until the hub has acknowledged the answer', async () => {
  expect(reality()).toEqual({ check: CHECK, owner: 'ana', answer: 'none' })
  world.store.dispatch(continued())
  expect(reality()).toMatchObject({ check: CHECK, answer: 'sending' })
  await world.settle()
  expect(world.hub.socket.commands.at(-1)?.slice(1)).toEqual(['reality', 'continue'])
  expect(reality()?.check).toBeNull()
})

test('an answer in another tab ends it, and a malformed message changes nothing', () => {
  world.hub.socket.say([23, { time: 'long', staked: '12.00', returned: '3.50' }])
  expect(reality()?.check).toEqual(CHECK)
  world.hub.socket.say([23, null])
  expect(reality()?.check).toBeNull()
})

test('an answer that the hub does not acknowledge must be given again', async () => {
  world.hub.onCommand = () => undefined
  world.store.dispatch(continued())
  world.hub.socket.break()
  await world.settle()
  expect(reality()).toMatchObject({ check: CHECK, answer: 'failed' })
})

test('it stays while the balance changes, and another user does not see it', () => {
  world.store.dispatch(memberSeen({ ...ANA, balance: '5.00' }))
  expect(reality()?.check).toEqual(CHECK)
  world.store.dispatch(memberSeen({ ...ANA, name: 'ivo' }))
  expect(reality()?.check).toBeNull()
})

test('a logout ends it', () => {
  world.store.dispatch(strangerSeen())
  expect(reality()?.check).toBeNull()
})
