import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type FakeWorld, startFakeWorld } from '../../testing/fakeWorld'
import { selectAnnouncement } from '../notices/announcementsSlice'
import { panelTurned } from '../view/viewSlice'
import { loggedOut, memberSeen, strangerSeen, type User } from './accountSlice'
import {
  announcementRead,
  exclusionStarted,
  selectAccountChanges,
  selectAnnouncedEnd,
  selectExclusion,
  selectSessionEnd,
  statusDoubted,
} from './protectionSlice'

const MINUTE = 60_000
const SUMS = { time: 3_900_000, staked: '12.00', returned: '3.50' }
const READ = { timeMs: 3_900_000, staked: '12.00', returned: '3.50' }

let world: FakeWorld

const ana = (status: object = {}): User => ({ name: 'ana', balance: '100.00', currency: 'EUR', status })
const inForce = (until: number | null, kind = 'time_out') => ana({ exclusion: { kind, until } })

async function connect() {
  world.hub.socket.hello()
  world.hub.socket.say([17, { user: 'ana' }])
  await world.settle()
}

beforeEach(() => {
  vi.useFakeTimers({ now: new Date(2026, 10, 27, 10) })
})

afterEach(() => {
  world.stop()
  vi.useRealTimers()
})

async function start(user = ana()) {
  world = startFakeWorld({ user })
  await connect()
}

const state = () => world.store.getState()
const barred = () => state().protection?.barred
const notices = () => state().notices.notices.map(({ key }) => key)

describe('an exclusion', () => {
  it('is known from the status of the user, with its end', async () => {
    const until = Date.now() + 3_600_000
    await start(inForce(until))
    expect(selectExclusion(state())).toEqual({ kind: 'time_out', until })
    expect(barred()).toBe('barred_time_out')
    expect(selectAnnouncement(state())?.key).toBe('exclusionUntil_time_out')
  })

  it.each([
    [{ exclusion: 'week' }],
    [{ exclusion: { kind: 'time_out', until: 'later' } }],
    [{ sessionEndsAt: 'soon' }],
    [[]],
  ])('is none with a malformed status %j', async (status) => {
    await start(ana(status))
    expect([selectExclusion(state()), barred()]).toEqual([null, null])
  })

  it('of a kind of a later version is named as an exclusion, not as a time-out', async () => {
    await start(inForce(null, 'operator'))
    expect(barred()).toBe('barred_self_exclusion')
  })

  it('that begins on another node or in another tab is fetched when the hub reports a change', async () => {
    await start()
    expect(selectExclusion(state())).toBeNull()
    world.fetchUser.mockResolvedValue(inForce(Date.now() + MINUTE))
    world.hub.socket.say([25])
    await world.settle()
    expect(barred()).toBe('barred_time_out')
    expect(selectAccountChanges(state())).toBe(1)
  })

  it('that begins while the connection is lost is fetched afterwards', async () => {
    await start()
    world.hub.socket.break()
    world.fetchUser.mockResolvedValue(inForce(Date.now() + MINUTE))
    await vi.advanceTimersByTimeAsync(2000)
    await connect()
    expect(barred()).toBe('barred_time_out')
  })

  it('is fetched again after a rejection that it may explain', async () => {
    await start()
    world.fetchUser.mockResolvedValue(inForce(null, 'self_exclusion'))
    world.store.dispatch(statusDoubted())
    await world.settle()
    expect(barred()).toBe('barred_self_exclusion')
  })

  it('of another user who has logged in meanwhile is not taken over', async () => {
    await start()
    world.fetchUser.mockResolvedValue({ ...inForce(null), name: 'ivo' })
    world.store.dispatch(statusDoubted())
    await world.settle()
    expect(selectExclusion(state())).toBeNull()
  })

  it('is not undone by an answer with the former status, such as that of a payment', async () => {
    const user = ana({ exclusion: null })
    await start(user)
    world.store.dispatch(exclusionStarted({ kind: 'time_out', until: Date.now() + MINUTE }))
    world.store.dispatch(memberSeen({ ...user, balance: '50.00' }))
    expect(barred()).toBe('barred_time_out')
  })

  it('ends by the clock of the page, and says so', async () => {
    // The clock of the server is an hour ahead.
    world = startFakeWorld({ user: inForce(Date.now() + 3_600_000 + 10 * MINUTE) })
    world.hub.socket.hello({ serverTimeMs: Date.now() + 3_600_000 })
    world.hub.socket.say([17, { user: 'ana' }])
    await world.settle()
    await vi.advanceTimersByTimeAsync(10 * MINUTE - 1)
    expect(barred()).toBe('barred_time_out')
    await vi.advanceTimersByTimeAsync(1)
    expect([selectExclusion(state()), barred()]).toEqual([null, null])
    expect(notices()).toEqual(['exclusionOver_time_out'])
  })

  it('of a month ends too, which is longer than a timer of the browser', async () => {
    const until = Date.now() + 30 * 24 * 60 * MINUTE
    await start(inForce(until, 'self_exclusion'))
    await vi.advanceTimersByTimeAsync(60 * MINUTE)
    expect(barred()).toBe('barred_self_exclusion')
    vi.setSystemTime(until - 60 * MINUTE)
    await vi.advanceTimersByTimeAsync(60 * MINUTE - 1)
    expect(barred()).toBe('barred_self_exclusion')
    await vi.advanceTimersByTimeAsync(1)
    expect(notices()).toEqual(['exclusionOver_self_exclusion'])
  })

  it('is forgotten with its user', async () => {
    await start(inForce(null))
    world.store.dispatch(strangerSeen())
    expect(barred()).toBeNull()
  })
})

describe('the end of a session by its limit', () => {
  const message = (endsAt: number) => [24, { endsAt, ...SUMS }]

  it('is announced five minutes and one minute before', async () => {
    await start()
    const endsAt = Date.now() + 5 * MINUTE
    world.hub.socket.say(message(endsAt))
    expect(selectAnnouncedEnd(state())).toEqual({ endsAt, sums: READ })
    expect(selectAnnouncement(state())).toEqual({ key: 'sessionEndsIn', values: { count: 5 } })
    world.store.dispatch(announcementRead())
    expect(selectAnnouncedEnd(state())).toBeNull()
    await vi.advanceTimersByTimeAsync(4 * MINUTE)
    world.hub.socket.say(message(endsAt))
    expect(selectAnnouncedEnd(state())).not.toBeNull()
    expect(selectAnnouncement(state())).toEqual({ key: 'sessionEndsIn', values: { count: 1 } })
  })

  it('is announced to a page that is opened shortly before, but only once', async () => {
    const user = ana({ sessionEndsAt: Date.now() + 3 * MINUTE })
    await start(user)
    expect(selectAnnouncement(state())).toEqual({ key: 'sessionEndsIn', values: { count: 3 } })
    world.store.dispatch(announcementRead())
    world.store.dispatch(memberSeen(ana({ ...(user.status as object) })))
    expect(selectAnnouncedEnd(state())).toBeNull()
  })

  it('is not announced hours before', async () => {
    await start(ana({ sessionEndsAt: Date.now() + 60 * MINUTE }))
    expect(selectAnnouncedEnd(state())).toBeNull()
  })

  it('is no longer announced when the limit is removed', async () => {
    await start()
    world.hub.socket.say(message(Date.now() + MINUTE))
    world.fetchUser.mockResolvedValue(ana({ sessionEndsAt: null }))
    world.hub.socket.say([25])
    await world.settle()
    expect(selectAnnouncedEnd(state())).toBeNull()
  })

  it('is shown with its sums, over no dialog of the account', async () => {
    await start()
    world.store.dispatch(panelTurned('cashier'))
    const endsAt = Date.now() - 3
    world.hub.socket.say(message(endsAt))
    world.store.dispatch(strangerSeen())
    expect(selectSessionEnd(state())).toEqual({ endsAt, sums: READ })
    expect([selectAnnouncedEnd(state()), state().view.panel]).toEqual([null, null])
    world.store.dispatch(memberSeen(ana()))
    expect(selectSessionEnd(state())).toBeNull()
  })

  it('that comes while the connection is lost is shown without sums', async () => {
    const endsAt = Date.now() + 10 * MINUTE
    await start(ana({ sessionEndsAt: endsAt }))
    await vi.advanceTimersByTimeAsync(10 * MINUTE)
    world.store.dispatch(strangerSeen())
    expect(selectSessionEnd(state())).toEqual({ endsAt, sums: null })
  })

  it('is not the reason of a session that is lost before it, or left', async () => {
    const endsAt = Date.now() + 10 * MINUTE
    await start(ana({ sessionEndsAt: endsAt }))
    world.store.dispatch(strangerSeen())
    expect(selectSessionEnd(state())).toBeNull()
    world.store.dispatch(memberSeen(ana({ sessionEndsAt: endsAt })))
    await vi.advanceTimersByTimeAsync(10 * MINUTE)
    world.store.dispatch(loggedOut())
    world.store.dispatch(strangerSeen())
    expect(selectSessionEnd(state())).toBeNull()
  })

  it('in a malformed message changes nothing', async () => {
    await start()
    const before = state().protection
    world.hub.socket.say([24, { endsAt: 'now', ...SUMS }], [24, null], [24])
    expect(state().protection).toBe(before)
  })
})
