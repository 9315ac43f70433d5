import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type FakeWorld, startFakeWorld } from '../../testing/fakeWorld'
import { accountReceived } from '../connection/hubMessages'
import { memberSeen, selectAccountStatus, strangerSeen } from './accountSlice'

const ana = { name: 'ana', balance: '100.00', currency: 'EUR' }

let world: FakeWorld

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  world.stop()
  vi.useRealTimers()
})

async function start(options: Parameters<typeof startFakeWorld>[0] = {}): Promise<void> {
  world = startFakeWorld(options)
  world.hub.socket.hello()
  await world.settle()
}

const status = () => selectAccountStatus(world.store.getState())

describe('whose session the hub has', () => {
  it('comes again with the new cookie where the hub was back before the answer to a login', async () => {
    await start()
    world.store.dispatch(accountReceived(null))
    await world.settle()
    expect(world.hub.sockets).toHaveLength(1)
    world.store.dispatch(memberSeen(ana))
    await world.settle()
    expect(world.hub.sockets).toHaveLength(2)
  })

  it('stays where the hub knows the bettor already', async () => {
    await start({ user: ana })
    world.store.dispatch(accountReceived('ana'))
    world.store.dispatch(memberSeen({ ...ana, balance: '90.00' }))
    await world.settle()
    expect(world.hub.sockets).toHaveLength(1)
  })

  it('comes again as a stranger after a logout that the hub did not see', async () => {
    await start({ user: ana })
    world.store.dispatch(accountReceived('ana'))
    await world.settle()
    world.store.dispatch(strangerSeen())
    await world.settle()
    expect(world.hub.sockets).toHaveLength(2)
  })

  it('is not asked about of a stranger, of whom the hub has said all there is', async () => {
    await start()
    world.store.dispatch(accountReceived(null))
    await vi.advanceTimersByTimeAsync(10_000)
    expect(world.fetchUser).not.toHaveBeenCalled()
    expect(status()).toBe('anonymous')
    expect(world.hub.sockets).toHaveLength(1)
  })

  it('is asked about where somebody is logged in', async () => {
    await start({ user: ana })
    world.store.dispatch(accountReceived('ana'))
    await world.settle()
    expect(world.fetchUser).toHaveBeenCalledTimes(1)
    expect(status()).toBe('member')
  })

  it('is asked about where the hub does not say, or is not there', async () => {
    await start({ user: ana })
    expect(status()).toBe('unknown')
    await vi.advanceTimersByTimeAsync(3000)
    expect(status()).toBe('member')
  })

  it('is asked about again where it became another', async () => {
    await start()
    world.store.dispatch(accountReceived(null))
    world.fetchUser.mockResolvedValue(ana)
    world.store.dispatch(accountReceived('ana'))
    await world.settle()
    expect(world.fetchUser).toHaveBeenCalledTimes(1)
    expect(status()).toBe('member')
    expect(world.hub.sockets).toHaveLength(1)
  })
})
