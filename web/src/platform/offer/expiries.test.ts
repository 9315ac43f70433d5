import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Expiries } from './expiries'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

it('tells what ended, together what ends within a moment', () => {
  const ended = vi.fn()
  const expiries = new Expiries<string>(1000, ended)
  expiries.start('a')
  vi.advanceTimersByTime(40)
  expiries.start('b')
  vi.advanceTimersByTime(460)
  expiries.start('c')
  vi.advanceTimersByTime(500)
  expect(ended.mock.calls).toEqual([[['a', 'b']]])
  vi.advanceTimersByTime(500)
  expect(ended.mock.calls).toEqual([[['a', 'b']], [['c']]])
  expect(vi.getTimerCount()).toBe(0)
})

it('a life begun again ends later', () => {
  const ended = vi.fn()
  const expiries = new Expiries<string>(1000, ended)
  expiries.start('a')
  vi.advanceTimersByTime(900)
  expiries.start('a')
  vi.advanceTimersByTime(900)
  expect(ended).not.toHaveBeenCalled()
  vi.advanceTimersByTime(100)
  expect(ended.mock.calls).toEqual([[['a']]])
})

it('what is taken away does not end', () => {
  const ended = vi.fn()
  const expiries = new Expiries<string>(1000, ended)
  expiries.start('a')
  expiries.delete('a')
  expiries.start('b')
  expiries.clear()
  vi.advanceTimersByTime(5000)
  expect(ended).not.toHaveBeenCalled()
})

it('a clock that is set back keeps nothing alive', () => {
  const ended = vi.fn()
  const expiries = new Expiries<string>(1000, ended)
  expiries.start('a')
  vi.setSystemTime(Date.now() - 3_600_000)
  expiries.start('b')
  vi.advanceTimersByTime(1000)
  expect(ended.mock.calls).toEqual([[['a', 'b']]])
})
