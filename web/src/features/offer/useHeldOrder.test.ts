import { expect, test } from 'vitest'
import type { SportGroup } from '../../platform/offer/offerSelectors'
import { holdOrder } from './useHeldOrder'

const group = (sportId: number, ...matchIds: number[]): SportGroup => ({
  sportId,
  matchCount: matchIds.length,
  tournaments: [{ key: 't', leagueId: 't', name: null, description: null, matchIds }],
})

const soccer = group(1, 11, 12)
const tennis = group(5, 51, 52)

test('a new order of the sport under the pointer waits', () => {
  const before = [soccer, tennis]
  expect(holdOrder(before, [group(1, 12, 11), tennis], 1)).toBe(before)
})

test('other sports do not', () => {
  const reordered = group(5, 52, 51)
  expect(holdOrder([soccer, tennis], [group(1, 12, 11), reordered], 1)).toEqual([soccer, reordered])
})

test('a match that comes or goes does not wait', () => {
  const now = [group(1, 12, 11, 13), tennis]
  expect(holdOrder([soccer, tennis], now, 1)).toBe(now)
})
