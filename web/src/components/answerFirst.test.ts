import { expect, test, vi } from 'vitest'
import { afterPaint, answerFirst } from './answerFirst'

test('what was pressed is marked until what it is for has been done, which is after the press', async () => {
  const button = document.createElement('button')
  const done = new Promise<boolean>((resolve) => answerFirst(button, () => resolve(button.hasAttribute('data-taken'))))
  expect(button.hasAttribute('data-taken')).toBe(true)
  expect(await done).toBe(false)
})

test('it is done in the order of the presses, once each', async () => {
  const work: number[] = []
  await new Promise<void>((resolve) => {
    afterPaint(() => work.push(1))
    afterPaint(() => work.push(2))
    afterPaint(() => {
      work.push(3)
      setTimeout(resolve, 150)
    })
  })
  expect(work).toEqual([1, 2, 3])
})

test('a window that is covered and paints nothing does it all the same', async () => {
  vi.stubGlobal('requestAnimationFrame', () => 0)
  try {
    await new Promise<void>((resolve) => afterPaint(resolve))
  } finally {
    vi.unstubAllGlobals()
  }
})
