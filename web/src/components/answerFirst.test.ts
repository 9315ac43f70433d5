import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { afterPaint, answerFirst } from './answerFirst'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  vi.useRealTimers()
})

test('what was pressed is marked until what it is for is done, which is after the next paint', () => {
  const button = document.createElement('button')
  const isMarked = () => button.hasAttribute('data-taken')
  const work = vi.fn(isMarked)
  answerFirst(button, work)
  expect([isMarked(), work.mock.calls.length]).toEqual([true, 0])
  vi.advanceTimersByTime(40)
  expect(work.mock.results.map(({ value }) => value)).toEqual([false])
})

test('it is done in the order of the presses, once each', () => {
  const work: number[] = []
  for (const press of [1, 2, 3]) {
    afterPaint(() => work.push(press))
  }
  vi.advanceTimersByTime(1000)
  expect(work).toEqual([1, 2, 3])
})

test('a window that is covered and paints nothing does it all the same', () => {
  vi.stubGlobal('requestAnimationFrame', () => 0)
  const work = vi.fn()
  afterPaint(work)
  vi.advanceTimersByTime(1000)
  vi.unstubAllGlobals()
  expect(work).toHaveBeenCalledOnce()
})
