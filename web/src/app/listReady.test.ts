import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { anOffer } from '../testing/builders'
import { type FakeWorld, startFakeWorld } from '../testing/fakeWorld'
import { listReady } from './listReady'

let world: FakeWorld

beforeEach(() => {
  vi.useFakeTimers()
  world = startFakeWorld({ offer: anOffer() })
})

afterEach(() => {
  world.stop()
  vi.useRealTimers()
})

test('the rest loads after the paint of the list', async () => {
  const ready = vi.fn()
  void listReady(world.store).then(ready)
  await vi.advanceTimersByTimeAsync(100)
  expect(ready).not.toHaveBeenCalled()
  world.hub.socket.hello()
  await world.settle()
  await vi.advanceTimersByTimeAsync(100)
  expect(world.store.getState().offer.status).toBe('ready')
  expect(ready).toHaveBeenCalledTimes(1)
})

test('without a list the rest loads after two seconds', async () => {
  const ready = vi.fn()
  void listReady(world.store).then(ready)
  await vi.advanceTimersByTimeAsync(1999)
  expect(ready).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(ready).toHaveBeenCalledTimes(1)
})
