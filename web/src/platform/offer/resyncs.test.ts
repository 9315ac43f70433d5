import { beforeEach, describe, expect, it, vi } from 'vitest'
import { Resyncs } from './resyncs'

const resync = vi.fn<(matchId: number | null) => Promise<void>>()
let nowMs = 0
let resyncs: Resyncs

const wish = (...matches: number[]) => resyncs.wish({ resync: matches, resyncAll: false })
const wishAll = () => resyncs.wish({ resync: [], resyncAll: true })
const asked = () => resync.mock.calls.map(([matchId]) => matchId)
const answered = () => new Promise(process.nextTick)

beforeEach(() => {
  nowMs = 1000
  resync.mockReset().mockResolvedValue(undefined)
  resyncs = new Resyncs(resync, () => nowMs)
})

describe('a wish', () => {
  it('is made once while it is under way', async () => {
    wish(17)
    wish(17, 18)
    expect(asked()).toEqual([17, 18])
    await answered()
  })

  it.each(['answered', 'refused'])('%s may be made again a second later', async (how) => {
    if (how === 'refused') {
      resync.mockRejectedValue(new Error('lost'))
    }
    wish(17)
    await answered()
    nowMs += 999
    wish(17)
    expect(asked()).toEqual([17])
    nowMs += 1
    wish(17)
    expect(asked()).toEqual([17, 17])
    await answered()
  })

  it('for many matches is one for everything, made again after 3 s', async () => {
    wish(...Array.from({ length: 21 }, (_, id) => id))
    expect(asked()).toEqual([null])
    await answered()
    nowMs += 2999
    wishAll()
    expect(asked()).toEqual([null])
    nowMs += 1
    wishAll()
    expect(asked()).toEqual([null, null])
    await answered()
  })

  it('of a connection that is gone hinders none of the next', async () => {
    wish(17)
    resyncs.clear()
    wish(17)
    expect(asked()).toEqual([17, 17])
    await answered()
  })
})
