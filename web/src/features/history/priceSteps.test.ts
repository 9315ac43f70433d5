import { expect, test } from 'vitest'
import { nextPrice } from './priceSteps'

test.each([
  [1850, 1, 1900],
  [1870, 1, 1900],
  [1870, -1, 1850],
  [2000, 1, 2100],
  [2000, -1, 1950],
  [5040, -1, 5000],
  [5000, -1, 4900],
  [12_000, 1, 13_000],
  [126_000, 1, 130_000],
  [1050, -1, 1050],
  [1010, 1, 1050],
  [1_000_000, 1, 1_000_000],
] as const)('from %i in the direction %i it is %i', (price, by, next) => {
  expect(nextPrice(price, by)).toBe(next)
})
