import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { HubClient } from '../protocol/hubClient'
import { FakeHub } from '../testing/fakeHub'
import { Link, type View } from './link'

const MATCH = (revision: number, score: [number, number]) => [
  ...[17, 'first_half', 'Rijeka', 'Osijek', true, 0, [], 0, score, [], 1, 'Nogomet', 600],
  ...[
    null,
    null,
    null,
    null,
    null,
    [0, 0],
    [0, 0],
    [0, 0],
    null,
    false,
    null,
    null,
    null,
    null,
    0,
    revision,
    null,
    null,
  ],
]
const BALL = [50, 40, 1, 2]
const HISTORY = [[[7, 1, 60, 'first_half', null, null]], [3], [[5, 4]]]

let hub: FakeHub
let views: View[]
let link: Link

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
  hub = new FakeHub()
  views = []
  const connect = (events: ConstructorParameters<typeof HubClient>[1]) => new HubClient('ws://hub', events, hub.world)
  link = new Link(17, { connect, now: () => Date.now() }, (view) => views.push(view))
})

afterEach(() => {
  link.stop()
  vi.useRealTimers()
})

const settle = () => vi.advanceTimersByTimeAsync(0)
const commands = () => hub.socket.commands.map(([, verb, argument]) => [verb, argument])
const last = () => {
  const view = views.at(-1)
  return view?.kind === 'shown' ? { ...view.tracked, isStale: view.isStale } : view?.kind
}

async function begin(feed: 0 | 2 = 2) {
  hub.socket.hello({ feed, serverTimeMs: 1_005_000 })
  await settle()
}

function tell() {
  hub.socket.say([3, MATCH(7, [0, 0]), 1_000_000], [10, 17, 3, [], [], BALL, HISTORY])
}

describe('the line to the hub', () => {
  it('watches its match alone and asks for it whole', async () => {
    await begin()
    expect(commands()).toEqual([
      ['watch', { sports: [], favourites: false, matches: [17] }],
      ['resync', 17],
    ])
    expect(last()).toBe('loading')
    tell()
    expect(last()).toMatchObject({ match: { home: 'Rijeka' }, ball: { x: 50, action: 2 }, detailRevision: 3 })
    expect(link.serverNow()).toBe(1_005_000)
  })

  it('knows the server’s time also where the clock is set meanwhile', async () => {
    await begin()
    tell()
    vi.setSystemTime(10_000_000)
    hub.socket.say([13, 1_005_000])
    await settle()
    expect(link.serverNow()).toBe(1_005_000)
  })

  it('follows row, ball and history', async () => {
    await begin()
    tell()
    hub.socket.say(
      [4, 17, 7, -2, [1, 0]],
      [5, 17, 3, -24, [99, 50, 1, 10], -25, [[[1, 1, 61, null, [1, 0], 'A']], [9], []]],
    )
    expect(last()).toMatchObject({
      match: { score: [1, 0], rowRevision: 8 },
      ball: { x: 99 },
      history: { incidents: [{ kind: 'goal', player: 'A' }], pressure: [9] },
      detailRevision: 4,
    })
    // A change with an old revision, and one of another match.
    hub.socket.say([4, 17, 7, -2, [5, 5]], [4, 18, 8, -2, [6, 6]])
    expect(last()).toMatchObject({ match: { score: [1, 0] } })
  })

  it('asks anew when a change was lost, once', async () => {
    await begin()
    tell()
    await settle()
    hub.onCommand = () => undefined
    hub.socket.say([5, 17, 9, -24, null], [12, 17, 8, 3])
    expect(commands().slice(2)).toEqual([['resync', 17]])
  })

  it('shows what it had while the connection is lost, and says so', async () => {
    await begin()
    tell()
    hub.socket.break()
    expect(last()).toMatchObject({ match: { home: 'Rijeka' }, isStale: true })
    await vi.advanceTimersByTimeAsync(6000)
    expect(hub.sockets.length).toBe(2)
    await begin()
    tell()
    expect(last()).toMatchObject({ isStale: false, match: { rowRevision: 7 } })
  })

  it('says when the match is gone, and when there is no offer', async () => {
    await begin()
    tell()
    hub.socket.say([6, 17])
    expect(last()).toBe('gone')
    hub.socket.say([2, 0])
    expect(last()).toBe('inactive')
    hub.socket.say([2, 2])
    await settle()
    expect(commands().at(-1)).toEqual(['resync', 17])
  })

  it('waits for the feed where there is no offer at first', async () => {
    await begin(0)
    expect(last()).toBe('inactive')
    expect(commands().map(([verb]) => verb)).toEqual(['watch'])
  })
})
