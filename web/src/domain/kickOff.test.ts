import { describe, expect, test } from 'vitest'
import { kickOffMinute, startsSoon } from './kickOff'

const at = (time: string) => new Date(`2026-05-13T${time}:00`).getTime()
const text = (words: string) => ({ kind: 'text', text: words }) as const

test.each([
  ['20:30', 1230],
  ['9:05', 545],
  ['2. set', null],
])('the text %s is minute %s', (words, minute) => {
  expect(kickOffMinute({ clock: text(words) })).toBe(minute)
})

describe('a match starts soon', () => {
  test.each([
    ['not_started', '20:30', '19:30', true],
    ['not_started', '20:30', '19:29', false],
    ['not_started', '00:20', '23:50', true],
    ['not_started', '20:30', '20:40', true],
    ['delayed', '18:00', '20:40', true],
    ['not_started', '08:00', '20:40', false],
    ['not_started', null, '20:40', true],
    ['first_half', '20:30', '20:00', false],
    [null, null, '20:00', false],
  ])('%s for %s, at %s: %s', (status, kickOff, now, expected) => {
    expect(startsSoon({ status, clock: kickOff ? text(kickOff) : null }, at(now))).toBe(expected)
  })
})
