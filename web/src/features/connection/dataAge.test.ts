import { expect, it } from 'vitest'
import { ageToTell } from './dataAge'

it.each([
  [null, 10_000, null],
  [10_000, 10_000, null],
  [10_000, 13_000, null],
  [10_000, 13_001, 3],
  [10_000, 14_999, 4],
  [10_000, 75_000, 65],
  [10_000, 9000, null],
])('what is of %s is told at %s as %s seconds old', (dateMs, nowMs, seconds) => {
  expect(ageToTell(dateMs, nowMs)).toBe(seconds)
})
