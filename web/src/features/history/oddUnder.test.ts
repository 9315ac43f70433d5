import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LONG_PRESS_MS, watchOdds } from './oddUnder'

const ask = vi.fn()
let odd: HTMLButtonElement
let stop: () => void

beforeEach(() => {
  vi.useFakeTimers()
  ask.mockReset()
  document.body.innerHTML = '<main><button data-odd-id="101">1.85</button></main>'
  odd = document.querySelector('button') as HTMLButtonElement
  stop = watchOdds({ hasKeys: () => true, ask, dismiss: () => undefined })
})

afterEach(() => {
  stop()
  vi.useRealTimers()
})

const send = (name: string, init: PointerEventInit) =>
  odd.dispatchEvent(new PointerEvent(name, { bubbles: true, cancelable: true, ...init }))

test('a pointer that rests on an odd, before or after it picked the odd, does not ask', () => {
  send('pointerover', { pointerType: 'mouse' })
  vi.advanceTimersByTime(60_000)
  send('pointerdown', { pointerType: 'mouse' })
  send('pointerup', { pointerType: 'mouse' })
  send('click', {})
  vi.advanceTimersByTime(60_000)
  expect(ask).not.toHaveBeenCalled()
})

test('a right click asks instead of opening a menu; the menu key does not', () => {
  expect(send('contextmenu', { button: 0 })).toBe(true)
  expect(ask).not.toHaveBeenCalled()
  expect(send('contextmenu', { button: 2 })).toBe(false)
  expect(ask).toHaveBeenCalledWith({ oddId: 101, button: odd, how: 'byPress' })
})

test('a long press asks and does not pick', () => {
  send('pointerdown', { pointerType: 'touch' })
  vi.advanceTimersByTime(LONG_PRESS_MS)
  expect(ask).toHaveBeenCalledTimes(1)
  send('pointerup', { pointerType: 'touch' })
  expect(send('click', {})).toBe(false)
})
