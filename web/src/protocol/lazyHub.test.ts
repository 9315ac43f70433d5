import { expect, it, vi } from 'vitest'
import { deferred } from '../testing/deferred'
import { eventually } from '../testing/eventually'
import { FakeHub } from '../testing/fakeHub'
import { HubClient, type HubEvents } from './hubClient'
import { LazyHub, type LoadHub } from './lazyHub'

const WATCH = { sports: null, favourites: false, matches: [] }

function start() {
  const hub = new FakeHub()
  const events = { onHello: vi.fn(), onLost: vi.fn(), onMessages: vi.fn() } satisfies HubEvents
  const chunk = deferred<{ HubClient: typeof HubClient }>()
  const load = vi.fn<LoadHub>().mockImplementation(() => chunk.promise)
  const client = new LazyHub('ws://here', events, hub.world, load)
  const arrive = async () => {
    chunk.resolve({ HubClient })
    await chunk.promise
  }
  return { hub, events, load, client, arrive }
}

it('connects before the hub client is loaded, and passes on what arrived meanwhile', async () => {
  const { hub, events, client, arrive } = start()
  hub.socket.hello()
  hub.socket.say([2, 2])
  expect(hub.socket.binaryType).toBe('arraybuffer')
  expect(events.onHello).not.toHaveBeenCalled()
  await arrive()
  await eventually(() => expect(events.onMessages).toHaveBeenCalledWith([{ kind: 'feed', feed: 'active' }]))
  expect(events.onHello).toHaveBeenCalledOnce()
  await client.watch(WATCH)
  expect(hub.sockets.map(({ commands }) => commands.length)).toEqual([1])
})

it('can be used by the callback of the first hello', async () => {
  const { hub, events, client, arrive } = start()
  events.onHello.mockImplementation(() => void client.watch(WATCH))
  hub.socket.hello()
  await arrive()
  await eventually(() => expect(hub.socket.commands).toEqual([[1, 'watch', WATCH]]))
})

it('keeps commands until the hub client is loaded', async () => {
  const { hub, client, arrive } = start()
  hub.socket.hello()
  const resync = client.resync(7)
  const cleared = client.command({ verb: 'clear' })
  client.probe()
  expect(hub.socket.commands).toEqual([])
  await arrive()
  await Promise.all([resync, cleared])
  expect(hub.socket.commands).toEqual([
    [1, 'resync', 7],
    [2, 'clear'],
  ])
})

it('rejects a command that waited for a connection that is not established', async () => {
  const { client, arrive } = start()
  const cleared = client.command({ verb: 'clear' })
  await arrive()
  await expect(cleared).rejects.toMatchObject({ name: 'HubError', code: 'lost' })
})

it('reports a connection that was lost before the hub client was loaded', async () => {
  const { hub, events, arrive } = start()
  hub.socket.hello()
  hub.socket.break()
  await arrive()
  await eventually(() => expect(events.onLost).toHaveBeenCalledOnce())
})

it('replaces the connection if the address has changed meanwhile', async () => {
  const { hub, events, client, arrive } = start()
  hub.socket.hello()
  client.reconnect('ws://there')
  await arrive()
  await eventually(() =>
    expect(hub.sockets.map(({ url, closed }) => [url, closed])).toEqual([
      ['ws://here', true],
      ['ws://there', false],
    ]),
  )
  expect(events.onHello).not.toHaveBeenCalled()
  hub.socket.hello()
  expect(events.onHello).toHaveBeenCalledOnce()
})

it('reports a loss and loads again if the chunk cannot be loaded', async () => {
  const { hub, events, load, arrive } = start()
  const failing = vi.fn<LoadHub>().mockRejectedValueOnce(new Error('no network')).mockImplementation(load)
  const lost = vi.fn()
  new LazyHub('ws://again', { ...events, onLost: lost }, hub.world, failing)
  hub.socket.hello()
  await eventually(() => expect(lost).toHaveBeenCalledOnce())
  await arrive()
  await eventually(() => expect(events.onHello).toHaveBeenCalledOnce())
  expect(failing).toHaveBeenCalledTimes(2)
})

it('closes the socket if it is closed before the hub client is loaded', async () => {
  const { hub, events, client, arrive } = start()
  hub.socket.hello()
  client.close()
  await arrive()
  expect(hub.sockets.map(({ closed }) => closed)).toEqual([true])
  expect(events.onHello).not.toHaveBeenCalled()
})
