import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '../../api/request'
import type { RootState } from '../../app/store'
import { allRows, lookup } from '../../domain/table'
import { recordTypes } from '../../testing/actionTypes'
import { aMarket, aMatch, anOdd, anOffer, aSport, aTotal } from '../../testing/builders'
import { deferred } from '../../testing/deferred'
import { type FakeWorld, startFakeWorld } from '../../testing/fakeWorld'
import { DEFAULT_PREFERENCES, languageChanged, lowDataTurned } from '../preferences/preferencesSlice'
import { matchClosed, matchOpened } from '../view/viewSlice'

const result = aMarket({ id: 51, odds: [anOdd({ id: 1, value: 1850 }), anOdd({ id: 2, value: 3200 })] })
const corners = aTotal('9.5', { id: 53, type: 70, odds: [anOdd({ id: 5 }), anOdd({ id: 6 })] })
const match = aMatch({ id: 17, markets: [result], rowRevision: 8, detailRevision: 4 })
const whole = { ...match, markets: [result, corners] }
const offer = anOffer([aSport({ id: 1, matches: [match] })])

const worlds: FakeWorld[] = []

function start(options: Parameters<typeof startFakeWorld>[0] = {}): FakeWorld {
  const world = startFakeWorld({ offer, ...options })
  world.fetchMatch.mockResolvedValue(whole)
  worlds.push(world)
  return world
}

async function live(options: Parameters<typeof startFakeWorld>[0] = {}): Promise<FakeWorld> {
  const world = start(options)
  world.hub.socket.hello()
  await world.settle()
  return world
}

const state = ({ store }: FakeWorld): RootState => store.getState()
const status = (world: FakeWorld) => state(world).offer.status
const price = (world: FakeWorld, id: number) => lookup(state(world).offer.odds, id)?.value
const ids = (world: FakeWorld) => allRows(state(world).offer.matches).map(({ id }) => id)
const detailOf = (world: FakeWorld) => lookup(state(world).offer.matches, 17)?.layout

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  for (const world of worlds.splice(0)) {
    world.stop()
  }
  vi.useRealTimers()
})

describe('from nothing to live', () => {
  it('watches, waits for the acknowledgement, gets the offer, and applies what came meanwhile', async () => {
    const world = start()
    world.hub.onCommand = () => undefined
    world.hub.socket.hello()
    await world.settle()
    expect(world.hub.socket.commands).toEqual([[1, 'watch', { sports: null, favourites: false, matches: [] }]])
    expect(world.fetchOffer).not.toHaveBeenCalled()

    const answer = deferred<typeof offer>()
    world.fetchOffer.mockReturnValue(answer.promise)
    world.hub.socket.say([1, 1, null])
    await world.settle()
    world.hub.socket.say([4, 17, 7, 0, 1500], [4, 17, 8, 0, 1900], [11, 1, 9, 9])
    await world.settle()
    expect(status(world)).toBe('loading')

    answer.resolve(offer)
    await world.settle()
    expect(status(world)).toBe('ready')
    expect(price(world, 1)).toBe(1900)
    expect(world.hub.socket.commands.length).toBe(1)
    expect(state(world).movements.size).toBe(0)
  })

  it('has no offer where the server has none, and asks again later and when a match comes in', async () => {
    const world = await live({ offer: null })
    expect(status(world)).toBe('empty')
    await vi.advanceTimersByTimeAsync(25_000)
    expect(world.fetchOffer).toHaveBeenCalledTimes(2)
    world.fetchOffer.mockResolvedValue(offer)
    world.hub.socket.say([6, 99])
    await world.settle()
    expect(world.fetchOffer).toHaveBeenCalledTimes(2)
    world.hub.socket.say([3, [18, null, null, null, true, 0, [], 0, null, [], 1], 0])
    await world.settle()
    expect(status(world)).toBe('ready')
  })

  it('that begins anew as the offer comes loses nothing of what is said from then on', async () => {
    const world = await live({ offer: null })
    const [first, second] = [deferred<typeof offer>(), deferred<typeof offer>()]
    world.fetchOffer.mockReturnValueOnce(first.promise).mockReturnValueOnce(second.promise)
    await vi.advanceTimersByTimeAsync(25_000)
    // It is gathered, and not painted yet, when the answer is there.
    world.hub.socket.say([3, [18, null, null, null, true, 0, [], 0, null, [], 1], 0])
    first.resolve(offer)
    await vi.advanceTimersByTimeAsync(0)
    world.hub.socket.say([4, 17, 8, 0, 1900])
    await world.settle()
    second.resolve(offer)
    await world.settle()
    expect([status(world), price(world, 1)]).toEqual(['ready', 1900])
  })

  it('asks until it is answered, waiting longer each time', async () => {
    const world = start()
    world.fetchOffer.mockRejectedValue(new ApiError('server', 503))
    world.hub.socket.hello()
    await world.settle()
    for (const [attempt, wait] of [250, 500, 1000].entries()) {
      expect(world.fetchOffer).toHaveBeenCalledTimes(attempt + 1)
      await vi.advanceTimersByTimeAsync(wait)
    }
    world.fetchOffer.mockResolvedValue(offer)
    await vi.advanceTimersByTimeAsync(5000)
    expect(status(world)).toBe('ready')
  })
})

describe('the steps of a fetch', () => {
  const fetchesOf = (types: readonly string[]) =>
    types.filter((type) => type.startsWith('offer/')).map((type) => type.replace('offer/', ''))

  it('of the offer are actions, and its failures and the messages it keeps are state', async () => {
    const world = start()
    const types = recordTypes(world.store)
    const answer = deferred<typeof offer>()
    world.fetchOffer.mockRejectedValueOnce(new ApiError('server', 503)).mockReturnValueOnce(answer.promise)
    world.hub.socket.hello()
    await world.settle()
    await vi.advanceTimersByTimeAsync(250)
    world.hub.socket.say([4, 17, 8, 0, 1900], [11, 1, 9, 9])
    await world.settle()
    expect(state(world).fetches.offer).toMatchObject({ failures: 1, kept: [{ kind: 'rowChange', matchId: 17 }] })
    answer.resolve(offer)
    await world.settle()
    expect(state(world).fetches.offer).toBeNull()
    const watchAndSend = ['watchSent', 'watchAcknowledged', 'fetchSent']
    expect(fetchesOf(types)).toEqual([
      'fetchesStopped',
      'fetchStarted',
      ...watchAndSend,
      'fetchFailed',
      ...watchAndSend,
      'messagesKept',
      'loaded',
    ])
  })

  it('of a match are actions', async () => {
    const world = await live()
    const types = recordTypes(world.store)
    world.store.dispatch(matchOpened(17))
    await world.settle()
    expect(state(world).fetches).toMatchObject({ match: null, isWatched: true, watch: { matches: [17] } })
    expect(fetchesOf(types)).toEqual([
      'fetchStarted',
      'watchSent',
      'watchAcknowledged',
      'fetchSent',
      'matchFetched',
      'framesApplied',
    ])
  })
})

describe('live', () => {
  it('one paint is one dispatch, however many frames came', async () => {
    const world = await live()
    const changed = vi.fn()
    world.store.subscribe(changed)
    world.hub.socket.say([4, 17, 8, 0, 1900])
    world.hub.socket.say([4, 17, 9, 1, 3300], [13, 1_700_000_005_000])
    expect(changed).not.toHaveBeenCalled()
    world.page.paint()
    expect(changed).toHaveBeenCalledTimes(1)
    expect([price(world, 1), price(world, 2), state(world).offer.dateMs]).toEqual([1900, 3300, 1_700_000_005_000])
    expect(
      allRows(state(world).movements)
        .map(({ id }) => id)
        .sort(),
    ).toEqual([1, 2])
  })

  it('a frame that changes nothing is no dispatch', async () => {
    const world = await live()
    const before = state(world)
    world.hub.socket.say([4, 17, 7, 0, 1500], [12, 17, 8, 4])
    await world.settle()
    expect(state(world)).toBe(before)
  })

  it('a hidden page takes what came by a timer, and shows no movement when it is back', async () => {
    const world = await live()
    world.page.hidden = true
    world.hub.socket.say([4, 17, 8, 0, 1900])
    await vi.advanceTimersByTimeAsync(999)
    expect(price(world, 1)).toBe(1850)
    await vi.advanceTimersByTimeAsync(1)
    expect(price(world, 1)).toBe(1900)
    world.hub.socket.say([4, 17, 9, 0, 2000])
    world.page.show()
    expect(price(world, 1)).toBe(2000)
    expect(state(world).movements.size).toBe(0)
  })

  it('with low data updates are applied at most once a second, with arrows but without flashes', async () => {
    const world = await live({ preloaded: { preferences: { ...DEFAULT_PREFERENCES, lowData: true } } })
    const changed = vi.fn()
    world.hub.socket.say([4, 17, 8, 0, 1900])
    world.page.paint()
    await vi.advanceTimersByTimeAsync(600)
    world.hub.socket.say([4, 17, 9, 1, 3300])
    world.page.paint()
    await vi.advanceTimersByTimeAsync(399)
    expect(price(world, 1)).toBe(1850)
    world.store.subscribe(changed)
    await vi.advanceTimersByTimeAsync(1)
    expect([price(world, 1), price(world, 2), changed.mock.calls.length]).toEqual([1900, 3300, 1])
    expect(lookup(state(world).movements, 1)).toEqual({ id: 1, direction: 1, flash: false })
    expect(lookup(state(world).movements, 2)).toEqual({ id: 2, direction: 1, flash: false })
    world.hub.socket.say([4, 17, 10, 0, 2000])
    await vi.advanceTimersByTimeAsync(999)
    expect(price(world, 1)).toBe(1900)
    await vi.advanceTimersByTimeAsync(1)
    expect(price(world, 1)).toBe(2000)
  })

  it('with low data switched off again updates are applied by the next paint', async () => {
    const world = await live({ preloaded: { preferences: { ...DEFAULT_PREFERENCES, lowData: true } } })
    world.store.dispatch(lowDataTurned(false))
    world.hub.socket.say([4, 17, 8, 0, 1900])
    world.page.paint()
    expect(price(world, 1)).toBe(1900)
    expect(lookup(state(world).movements, 1)?.flash).toBe(true)
  })

  it('a gap is asked about once, and healed', async () => {
    const world = await live()
    world.hub.onCommand = () => undefined
    world.hub.socket.say([4, 17, 10, 0, 1900])
    await world.settle()
    world.hub.socket.say([4, 17, 11, 0, 1950])
    await world.settle()
    expect(world.hub.socket.commands.slice(1)).toEqual([[2, 'resync', 17]])
  })

  it('a gap is asked about again, whatever the clock was set to meanwhile', async () => {
    const world = await live()
    world.hub.socket.say([4, 17, 10, 0, 1900])
    await world.settle()
    vi.setSystemTime(Date.now() - 3_600_000)
    await vi.advanceTimersByTimeAsync(1000)
    world.hub.socket.say([4, 17, 11, 0, 1950])
    await world.settle()
    expect(world.hub.socket.commands.slice(1)).toEqual([
      [2, 'resync', 17],
      [3, 'resync', 17],
    ])
  })

  it('a check that differs asks for everything, and what is cheaper by HTTP is got there', async () => {
    const world = await live()
    world.hub.onCommand = (socket, [n, verb]) =>
      socket.say(
        ...(verb === 'resync'
          ? [
              [2, 2],
              [14, 'reload'],
            ]
          : []),
        [1, n, null],
      )
    world.fetchOffer.mockResolvedValue(anOffer([aSport({ id: 1, matches: [match, aMatch({ id: 18 })] })]))
    world.hub.socket.say([11, 1, 2, 0])
    await world.settle()
    expect(world.hub.socket.commands.at(1)).toEqual([2, 'resync', null])
    await world.settle()
    expect(ids(world).sort()).toEqual([17, 18])
    expect(status(world)).toBe('ready')
  })

  it('asks for everything after the offer of another node, and names the run of the connection', async () => {
    const foreign = aMatch({ id: 17, markets: [result], rowRevision: 0, detailRevision: 0 })
    const world = start({ offer: anOffer([aSport({ id: 1, matches: [foreign] })]) })
    world.hub.socket.hello({ run: 'c3d4' })
    await world.settle()
    expect(world.fetchOffer).toHaveBeenLastCalledWith('hr', expect.anything(), 'c3d4')
    expect(status(world)).toBe('ready')
    expect(world.hub.socket.commands.at(-1)?.slice(1)).toEqual(['resync', null])

    world.fetchMatch.mockResolvedValue({ ...foreign, markets: [result, corners] })
    world.store.dispatch(matchOpened(17))
    await world.settle()
    expect(world.fetchMatch).toHaveBeenLastCalledWith(17, 'hr', expect.anything(), 'c3d4')
    expect(world.hub.socket.commands.at(-1)?.slice(1)).toEqual(['resync', 17])
  })

  it('while the offer is got anew what comes is shown and not lost', async () => {
    const world = await live()
    const answer = deferred<typeof offer>()
    world.fetchOffer.mockReturnValue(answer.promise)
    world.hub.socket.say([14, 'reload'])
    await world.settle()
    world.hub.socket.say([4, 17, 8, 0, 1900])
    await world.settle()
    expect(price(world, 1)).toBe(1900)
    answer.resolve(offer)
    await world.settle()
    expect(price(world, 1)).toBe(1900)
  })
})

describe('the feed', () => {
  it('inactive clears the offer, active again gets it anew', async () => {
    const world = await live()
    world.hub.socket.say([2, 0])
    await world.settle()
    expect([status(world), ids(world)]).toEqual(['inactive', []])
    world.hub.socket.say([2, 2])
    await world.settle()
    expect([status(world), ids(world)]).toEqual(['ready', [17]])
    expect(world.fetchOffer).toHaveBeenCalledTimes(2)
  })

  it('recovering leaves the offer, and changes still come', async () => {
    const world = await live()
    world.hub.socket.say([2, 1], [4, 17, 8, 0, 1900])
    await world.settle()
    expect([status(world), price(world, 1)]).toEqual(['recovering', 1900])
    world.hub.socket.say([2, 2])
    await world.settle()
    expect(status(world)).toBe('ready')
    expect(world.fetchOffer).toHaveBeenCalledTimes(1)
  })

  it('that is inactive from the beginning is waited for', async () => {
    const world = start()
    world.hub.socket.hello({ feed: 0 })
    await world.settle()
    expect(status(world)).toBe('inactive')
    expect(world.fetchOffer).not.toHaveBeenCalled()
    world.hub.socket.say([2, 2])
    await world.settle()
    expect(status(world)).toBe('ready')
  })
})

describe('a lost connection', () => {
  it('clears the offer, and the next one gets it anew', async () => {
    const world = await live()
    world.hub.socket.break()
    expect([state(world).connection.status, status(world), ids(world)]).toEqual(['lost', 'loading', []])
    await vi.advanceTimersByTimeAsync(250)
    world.hub.socket.hello()
    await world.settle()
    expect([state(world).connection.status, status(world), ids(world)]).toEqual(['open', 'ready', [17]])
  })

  it('leaves behind what was on its way', async () => {
    const world = start()
    const old = deferred<typeof offer>()
    world.fetchOffer.mockReturnValueOnce(old.promise)
    world.hub.socket.hello()
    await world.settle()
    world.hub.socket.break()
    old.resolve(offer)
    await world.settle()
    expect(status(world)).toBe('loading')
  })

  it('comes back with the match that is open', async () => {
    const world = await live({ href: '/?match=17' })
    expect(detailOf(world)).toEqual([51, 53])
    world.hub.socket.break()
    await vi.advanceTimersByTimeAsync(250)
    world.hub.socket.hello()
    await world.settle()
    await world.settle()
    expect(world.hub.socket.commands[0]).toEqual([2, 'watch', { sports: null, favourites: false, matches: [17] }])
    expect(world.hub.socket.commands.length).toBe(1)
    expect(detailOf(world)).toEqual([51, 53])
  })
})

describe('another language', () => {
  it('is another connection and another offer; what is shown stays until it has come', async () => {
    const world = await live()
    const english = anOffer([aSport({ id: 1, name: 'Soccer', matches: [match] })])
    world.fetchOffer.mockResolvedValue(english)
    world.store.dispatch(languageChanged('en'))
    expect(world.hub.socket.url).toContain('lang=en')
    expect([status(world), ids(world)]).toEqual(['ready', [17]])
    world.hub.socket.hello()
    await world.settle()
    expect(world.fetchOffer).toHaveBeenLastCalledWith('en', expect.anything(), expect.anything())
    expect(lookup(state(world).offer.sports, 1)?.name).toBe('Soccer')
  })

  it('is the one saved', () => {
    const world = start({ preloaded: { preferences: { ...DEFAULT_PREFERENCES, language: 'sr' } } })
    expect(world.hub.socket.url).toContain('lang=sr')
  })
})

describe('a match opened', () => {
  it('is watched, then got with all its markets, then changed by what came meanwhile', async () => {
    const world = await live()
    const answer = deferred<typeof whole>()
    world.fetchMatch.mockReturnValue(answer.promise)
    world.store.dispatch(matchOpened(17))
    await world.settle()
    expect(world.hub.socket.commands.at(-1)).toEqual([2, 'watch', { sports: null, favourites: false, matches: [17] }])
    world.hub.socket.say([5, 17, 4, 0, 2500], [12, 17, 8, 5])
    await world.settle()
    answer.resolve(whole)
    await world.settle()
    expect([detailOf(world), price(world, 5)]).toEqual([[51, 53], 2500])
    expect(state(world).movements.size).toBe(0)
  })

  it('and closed is watched no more, and forgotten once its page is gone', async () => {
    const world = await live()
    world.store.dispatch(matchOpened(17))
    await world.settle()
    world.store.dispatch(matchClosed())
    await world.settle()
    expect(world.hub.socket.commands.at(-1)).toEqual([3, 'watch', { sports: null, favourites: false, matches: [] }])
    expect(detailOf(world)).toEqual([51, 53])
    await vi.advanceTimersByTimeAsync(1000)
    expect([detailOf(world), price(world, 5)]).toEqual([null, undefined])
  })

  it('and opened again at once keeps its detail', async () => {
    const world = await live()
    world.store.dispatch(matchOpened(17))
    await world.settle()
    world.store.dispatch(matchClosed())
    world.store.dispatch(matchOpened(17))
    await vi.advanceTimersByTimeAsync(1000)
    await world.settle()
    expect(detailOf(world)).toEqual([51, 53])
  })

  it('and deleted is closed, with a word about it', async () => {
    const world = await live({ href: '/?match=17' })
    world.hub.socket.say([6, 17])
    await world.settle()
    expect(state(world).view.openMatchId).toBe(null)
    expect(world.url.history).toEqual(['/'])
    expect(state(world).notices.notices).toMatchObject([
      { key: 'noticeMatchEnded', values: { match: 'Dinamo Zagreb – Hajduk Split' } },
    ])
    await vi.advanceTimersByTimeAsync(5000)
    expect(state(world).notices.notices).toEqual([])
  })

  it.each(['/?match=99', '/?match=17'])(
    'that is not in the offer is closed, with a word about it: %s',
    async (href) => {
      const world = start({ href })
      world.fetchMatch.mockResolvedValue(null)
      world.hub.socket.hello()
      await world.settle()
      expect(state(world).view.openMatchId).toBe(null)
      expect(state(world).notices.notices).toMatchObject([{ key: 'noticeMatchMissing' }])
    },
  )

  it('does not come back when it goes, with its sport, as its markets come', async () => {
    const world = await live()
    const answer = deferred<typeof whole>()
    world.fetchMatch.mockReturnValue(answer.promise)
    world.store.dispatch(matchOpened(17))
    await world.settle()
    world.hub.socket.say([8, 1])
    answer.resolve(whole)
    await vi.advanceTimersByTimeAsync(0)
    expect([state(world).view.openMatchId, ids(world)]).toEqual([null, []])
  })

  it('is asked for until it has come', async () => {
    const world = await live()
    world.fetchMatch.mockRejectedValueOnce(new ApiError('network'))
    world.store.dispatch(matchOpened(17))
    await world.settle()
    expect(detailOf(world)).toBe(null)
    await vi.advanceTimersByTimeAsync(250)
    expect(detailOf(world)).toEqual([51, 53])
  })

  it('keeps its detail while the offer is got anew', async () => {
    const world = await live({ href: '/?match=17' })
    const answer = deferred<typeof whole>()
    world.fetchMatch.mockReturnValue(answer.promise)
    world.hub.socket.say([14, 'reload'])
    await world.settle()
    expect(detailOf(world)).toEqual([51, 53])
  })
})
