import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FakeHub } from '../testing/fakeHub'
import { backoffMs } from './backoff'
import { HubClient, HubError, type HubEvents } from './hubClient'

const hub = { fake: new FakeHub() }
const told = { onHello: vi.fn(), onLost: vi.fn(), onMessages: vi.fn() } satisfies HubEvents
const URL = 'ws://kvota.test/api/v1/live/hub?lang=hr'

function connect(): HubClient {
  return new HubClient(URL, told, hub.fake.world)
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.clearAllMocks()
  hub.fake = new FakeHub()
})

afterEach(() => {
  vi.useRealTimers()
})

describe('a connection', () => {
  it('asks for msgpack and passes the hello on', () => {
    connect()
    hub.fake.socket.hello({ serverTimeMs: 5 })
    expect(hub.fake.socket).toMatchObject({ url: URL, subprotocol: 'kvota.v1.msgpack', binaryType: 'arraybuffer' })
    expect(told.onHello).toHaveBeenCalledWith(expect.objectContaining({ feed: 'active', serverTimeMs: 5 }))
  })

  it('passes messages on in their order, and unknown ones not at all', () => {
    connect()
    hub.fake.socket.hello()
    hub.fake.socket.say([6, 1], [99], [2, 1], [14, 'reload'])
    const kinds = told.onMessages.mock.calls.flatMap(([messages]) => messages.map(({ kind }: { kind: string }) => kind))
    expect(kinds).toEqual(['matchDeleted', 'feed', 'notice'])
  })

  it('that says what is no frame is lost', () => {
    connect()
    hub.fake.socket.hello()
    hub.fake.socket.onmessage?.(new MessageEvent('message', { data: Uint8Array.of(0xc1).buffer }))
    expect(told.onLost).toHaveBeenCalledTimes(1)
    expect(hub.fake.socket.closed).toBe(true)
  })
})

describe('a command', () => {
  it('is resolved by its acknowledgement, after the messages before it', async () => {
    const client = connect()
    hub.fake.socket.hello()
    hub.fake.onCommand = (socket, [n]) => socket.say([6, 17], [1, n, null])
    const order: string[] = []
    told.onMessages.mockImplementation(() => order.push('message'))
    await client.watch({ sports: null, favourites: false, matches: [17] }).then(() => order.push('ack'))
    expect(order).toEqual(['message', 'ack'])
    expect(hub.fake.socket.commands).toEqual([[1, 'watch', { sports: null, favourites: false, matches: [17] }]])
  })

  it('is rejected with the code of its error', async () => {
    const client = connect()
    hub.fake.socket.hello()
    hub.fake.onCommand = (socket, [n]) => socket.say([1, n, 'unknown_match', 'no such match'])
    await expect(client.resync(17)).rejects.toEqual(new HubError('unknown_match', 'no such match'))
  })

  it('is rejected when the connection ends, and where there is none', async () => {
    const client = connect()
    await expect(client.resync(null)).rejects.toMatchObject({ code: 'lost' })
    hub.fake.socket.hello()
    hub.fake.onCommand = (socket) => socket.break()
    await expect(client.resync(null)).rejects.toMatchObject({ code: 'lost' })
  })
})

describe('a lost connection', () => {
  it('is taken up again, waiting longer each time up to 5 s', () => {
    connect()
    const waits = [250, 500, 1000, 2000, 4000, 5000, 5000]
    for (const [attempt, wait] of waits.entries()) {
      hub.fake.socket.break()
      vi.advanceTimersByTime(wait - 1)
      expect(hub.fake.sockets.length).toBe(attempt + 1)
      vi.advanceTimersByTime(1)
      expect(hub.fake.sockets.length).toBe(attempt + 2)
    }
    expect(told.onLost).toHaveBeenCalledTimes(waits.length)
  })

  it('begins with short waits again only after a connection that lasted', () => {
    connect()
    for (const lived of [0, 11_000]) {
      hub.fake.socket.break()
      vi.advanceTimersByTime(5000)
      hub.fake.socket.hello()
      vi.advanceTimersByTime(lived)
    }
    const before = hub.fake.sockets.length
    hub.fake.socket.break()
    vi.advanceTimersByTime(250)
    expect(hub.fake.sockets.length).toBe(before + 1)
  })

  it('is taken up at once when the machine is online again', () => {
    connect()
    hub.fake.socket.break()
    hub.fake.networkChanges(true)
    expect(hub.fake.sockets.length).toBe(2)
    vi.advanceTimersByTime(9000)
    expect(hub.fake.sockets.length).toBe(2)
  })

  it('is lost with the network, before its silence shows it', () => {
    connect()
    hub.fake.socket.hello()
    hub.fake.networkChanges(false)
    expect(told.onLost).toHaveBeenCalledTimes(1)
    hub.fake.networkChanges(true)
    expect(hub.fake.sockets.length).toBe(2)
  })

  it('speaks no more', () => {
    connect()
    const [first] = hub.fake.sockets
    first?.hello()
    const late = first?.onmessage
    first?.break()
    vi.advanceTimersByTime(250)
    late?.(new MessageEvent('message', { data: Uint8Array.of(0x91, 0x92, 6, 17).buffer }))
    expect(told.onMessages).not.toHaveBeenCalled()
  })
})

describe('silence', () => {
  it('of 15 s is asked about, of 40 s is a loss', () => {
    connect()
    hub.fake.socket.hello()
    hub.fake.onCommand = () => undefined
    vi.advanceTimersByTime(15_000)
    expect(hub.fake.socket.commands).toEqual([])
    vi.advanceTimersByTime(2000)
    expect(hub.fake.socket.commands).toEqual([[1, 'ping']])
    vi.advanceTimersByTime(23_000)
    expect(told.onLost).not.toHaveBeenCalled()
    vi.advanceTimersByTime(2000)
    expect(told.onLost).toHaveBeenCalledTimes(1)
  })

  it('that is answered is none', () => {
    connect()
    hub.fake.socket.hello()
    hub.fake.onCommand = (socket, [n]) => socket.say([1, n, null])
    vi.advanceTimersByTime(120_000)
    expect(told.onLost).not.toHaveBeenCalled()
  })

  it('of a machine that slept is asked about first', () => {
    connect()
    hub.fake.socket.hello()
    hub.fake.onCommand = (socket, [n]) => socket.say([1, n, null])
    vi.setSystemTime(Date.now() + 3_600_000)
    vi.advanceTimersByTime(2000)
    expect(hub.fake.socket.commands).toEqual([[1, 'ping']])
    expect(told.onLost).not.toHaveBeenCalled()
  })

  it.each(['heard', 'asked about'])('is a loss though the clock was set back after it was %s', (what) => {
    connect()
    hub.fake.socket.hello()
    hub.fake.onCommand = () => undefined
    vi.advanceTimersByTime(what === 'heard' ? 0 : 17_000)
    vi.setSystemTime(Date.now() - 3_600_000)
    vi.advanceTimersByTime(45_000)
    expect(hub.fake.sockets[0]?.commands).toEqual([[1, 'ping']])
    expect(told.onLost).toHaveBeenCalled()
  })

  it('instead of a hello is a loss after 10 s', () => {
    connect()
    vi.advanceTimersByTime(12_000)
    expect(told.onLost).toHaveBeenCalledTimes(1)
  })

  it.each(['a probe', 'a change of the network'])('after %s is a loss after 5 s', (what) => {
    const client = connect()
    hub.fake.socket.hello()
    hub.fake.onCommand = () => undefined
    if (what === 'a probe') {
      client.probe()
    } else {
      hub.fake.networkChanges(false)
    }
    vi.advanceTimersByTime(7000)
    expect(told.onLost).toHaveBeenCalledTimes(1)
  })
})

describe('whoever holds it', () => {
  it('goes to another address without a loss', () => {
    const client = connect()
    hub.fake.socket.hello()
    client.reconnect(`${URL}2`)
    expect(hub.fake.sockets.map(({ url, closed }) => [url, closed])).toEqual([
      [URL, true],
      [`${URL}2`, false],
    ])
    expect(told.onLost).not.toHaveBeenCalled()
  })

  it('ends it for good', () => {
    const client = connect()
    hub.fake.socket.hello()
    client.close()
    hub.fake.networkChanges(true)
    vi.advanceTimersByTime(60_000)
    expect(hub.fake.sockets.map(({ closed }) => closed)).toEqual([true])
    expect(vi.getTimerCount()).toBe(0)
  })
})

it('waits are spread over their whole length', () => {
  expect([0, 0.5, 1].map((random) => backoffMs(3, () => random))).toEqual([0, 1000, 2000])
  expect(backoffMs(100, () => 1)).toBe(5000)
})
