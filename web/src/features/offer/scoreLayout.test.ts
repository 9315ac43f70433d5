import { expect, test } from 'vitest'
import type { Pair } from '../../domain/offer'
import { periodCount, scoreGrid, scoreLayout, shownPeriods } from './scoreLayout'

const withPeriods = (count: number) => ({ scores: Array.from({ length: count }, (): Pair => [0, 0]) })

test.each([
  ['soccer shows cards and no periods', 1, 2, 0],
  ['tennis keeps three sets', 5, 1, 3],
  ['and has a fifth when it comes to it', 5, 5, 5],
  ['basketball has four quarters and one of overtime', 2, 7, 5],
  ['what is not known shows what there is', 999, 2, 2],
])('%s', (_, sportId, played, columns) => {
  expect(periodCount(scoreLayout(sportId), [withPeriods(0), undefined, withPeriods(played)])).toBe(columns)
})

test('the width is that of the columns', () => {
  expect(scoreGrid(scoreLayout(5), 3)).toEqual({ template: 'repeat(3, 1.125rem) 1fr', width: 5.875 })
  expect(scoreGrid(scoreLayout(999), 0)).toEqual({ template: '1fr', width: 2.5 })
})

test.each([
  [2, 3, [0, 1, 2]],
  [5, 3, [2, 3, 4]],
])('of %i periods in %i columns these are shown: %j', (played, columns, shown) => {
  expect(shownPeriods(played, columns)).toEqual(shown)
})
