import { afterEach, expect, it, vi } from 'vitest'
import { EarlySocket } from '../../protocol/earlySocket'
import { HubClient, type HubEvents } from '../../protocol/hubClient'
import { deferred } from '../../testing/deferred'
import { eventually } from '../../testing/eventually'
import { FakeHub } from '../../testing/fakeHub'
import { connectionLost } from '../connection/connectionSlice'
import { type LateWorld, startLateOffer } from './lateOffer'
import type { StartedOffer } from './liveOffer'

const stops: (() => void)[] = []

afterEach(() => {
  for (const stop of stops.splice(0)) {
    stop()
  }
})

/** A live offer that loads when `arrive` is called, after a number of failures. */
function start({ failures = 0 } = {}) {
  const hub = new FakeHub()
  const events = { onHello: vi.fn(), onLost: vi.fn(), onMessages: vi.fn() } satisfies HubEvents
  let url = 'ws://here'
  const chunk = deferred<Awaited<ReturnType<LateWorld['load']>>>()
  const load = vi.fn<LateWorld['load']>().mockImplementation(() => chunk.promise)
  for (let failed = 0; failed < failures; failed += 1) {
    load.mockRejectedValueOnce(new Error('no network'))
  }
  const dispatch = vi.fn()
  const startLive = (early: EarlySocket): StartedOffer => {
    const client = new HubClient(early.url, events, early.worldOf(hub.world))
    return {
      say: (command) => client.command(command),
      reconnect: () => client.reconnect(url),
      listenBets: (listener) => listener([1]),
      stop: () => client.close(),
    }
  }
  const offer = startLateOffer(
    { dispatch },
    { url: () => url, open: (address) => new EarlySocket(address, hub.world.connect), load },
  )
  stops.push(offer.stop)
  return {
    hub,
    events,
    dispatch,
    load,
    offer,
    move: (address: string) => {
      url = address
    },
    arrive: async () => {
      chunk.resolve(startLive)
      await chunk.promise
    },
  }
}

it('connects before the live offer is loaded, and passes on what arrived meanwhile', async () => {
  const { hub, events, arrive } = start()
  hub.socket.hello()
  hub.socket.say([2, 2])
  expect(hub.socket.binaryType).toBe('arraybuffer')
  expect(events.onHello).not.toHaveBeenCalled()
  await arrive()
  await eventually(() => expect(events.onMessages).toHaveBeenCalledWith([{ kind: 'feed', feed: 'active' }]))
  expect(events.onHello).toHaveBeenCalledOnce()
  expect(hub.sockets.length).toBe(1)
})

it('keeps commands and the reader of bets until the live offer is loaded', async () => {
  const { hub, offer, arrive } = start()
  const readBets = vi.fn()
  hub.socket.hello()
  const cleared = offer.say({ verb: 'clear' })
  offer.listenBets(readBets)
  expect(hub.socket.commands).toEqual([])
  await arrive()
  await cleared
  expect(hub.socket.commands).toEqual([[1, 'clear']])
  expect(readBets).toHaveBeenCalledWith([1])
})

it('rejects a command that waited for a connection that is not established', async () => {
  const { offer, arrive } = start()
  const cleared = offer.say({ verb: 'clear' })
  await arrive()
  await expect(cleared).rejects.toMatchObject({ name: 'HubError', code: 'lost' })
})

it('reports a connection that was lost before the live offer was loaded', async () => {
  const { hub, events, arrive } = start()
  hub.socket.hello()
  hub.socket.break()
  await arrive()
  await eventually(() => expect(events.onLost).toHaveBeenCalledOnce())
})

it('replaces the connection if the address has changed meanwhile', async () => {
  const { hub, events, move, arrive } = start()
  hub.socket.hello()
  move('ws://there')
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
  const { hub, events, dispatch, load, arrive } = start({ failures: 1 })
  hub.socket.hello()
  await eventually(() => expect(dispatch.mock.calls).toEqual([[connectionLost()]]))
  await arrive()
  await eventually(() => expect(events.onHello).toHaveBeenCalledOnce())
  expect(load).toHaveBeenCalledTimes(2)
})

it('closes the socket if it is stopped before the live offer is loaded', async () => {
  const { hub, events, offer, arrive } = start()
  hub.socket.hello()
  offer.stop()
  await arrive()
  expect(hub.sockets.map(({ closed }) => closed)).toEqual([true])
  expect(events.onHello).not.toHaveBeenCalled()
})
