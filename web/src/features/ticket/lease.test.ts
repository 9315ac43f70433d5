import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { wait } from '../../app/wait'
import { lease } from './lease'

const KEY = 'cn-placement-lease'
const { signal } = new AbortController()

/** Something under way until it is told to end. */
function work() {
  let end: () => void = () => undefined
  const run = vi.fn(() => new Promise<void>((resolve) => (end = resolve)))
  return { run, end: () => end() }
}

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

/** Tries it if it is free; whether it was, once that is known. */
async function tryIt(locked: ReturnType<typeof lease>, run: () => Promise<void>): Promise<boolean | 'under way'> {
  let was: boolean | 'under way' = 'under way'
  void locked(true, signal, run).then((free) => {
    was = free
  })
  await vi.advanceTimersByTimeAsync(100)
  return was
}

describe('of two tabs', () => {
  it('one holds it, and the other has it after that', async () => {
    const [first, second] = [lease(localStorage, wait), lease(localStorage, wait)]
    const [mine, other] = [work(), work()]
    expect(await tryIt(first, mine.run)).toBe('under way')
    expect(await tryIt(second, other.run)).toBe(false)
    void second(false, signal, other.run)
    await vi.advanceTimersByTimeAsync(5000)
    expect(other.run).not.toHaveBeenCalled()
    mine.end()
    await vi.advanceTimersByTimeAsync(2000)
    expect(other.run).toHaveBeenCalledTimes(1)
    other.end()
    await vi.advanceTimersByTimeAsync(0)
    expect(localStorage.getItem(KEY)).toBe(null)
    expect(vi.getTimerCount()).toBe(0)
  })

  it.each([
    ['long ago', -80_000],
    ['tomorrow, by a clock that was set back since', 86_400_000],
  ])('one that wrote last %s is gone', async (_, by) => {
    localStorage.setItem(KEY, `somebody ${Date.now() + by}`)
    expect(await tryIt(lease(localStorage, wait), async () => undefined)).toBe(true)
  })
})

it('within a tab one holds it at a time', async () => {
  const locked = lease(localStorage, wait)
  const [first, second] = [work(), work()]
  void locked(true, signal, first.run)
  void locked(false, signal, second.run)
  await vi.advanceTimersByTimeAsync(5000)
  expect([first.run.mock.calls.length, second.run.mock.calls.length]).toEqual([1, 0])
  first.end()
  await vi.advanceTimersByTimeAsync(2000)
  expect(second.run).toHaveBeenCalledTimes(1)
})

describe('a storage that', () => {
  const fail = () => {
    throw new DOMException('full', 'QuotaExceededError')
  }

  it.each<[string, Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>]>([
    ['is full', { getItem: () => null, setItem: fail, removeItem: () => undefined }],
    ['is forbidden', { getItem: fail, setItem: fail, removeItem: fail }],
    ['forgets', { getItem: () => null, setItem: () => undefined, removeItem: () => undefined }],
  ])('%s keeps nobody from placing', async (_, storage) => {
    const run = vi.fn(async () => undefined)
    expect(await tryIt(lease(storage, wait), run)).toBe(true)
    expect(run).toHaveBeenCalledTimes(1)
  })
})
