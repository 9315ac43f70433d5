import { expect, it } from 'vitest'
import { sportClass } from './sportClass'
import { countTags, tagText } from './tags'

it.each([
  [1, 'soccer'],
  [2, 'basketball'],
  [3, 'baseball'],
  [4, 'hockey'],
  [5, 'tennis'],
  [6, 'handball'],
  [12, 'rugby'],
  [16, 'american-football'],
  [19, 'snooker'],
  [20, 'table-tennis'],
  [21, 'cricket'],
  [22, 'darts'],
  [23, 'volleyball'],
  [29, 'futsal'],
  [31, 'badminton'],
  [34, 'beach-volleyball'],
  [37, 'squash'],
  [117, 'mma'],
  [7, 'default'],
  [0, 'default'],
])('sport %i is of the class %s', (id, expected) => {
  expect(sportClass(id)).toBe(expected)
})

it.each([
  ['group.Golovi', 'Golovi'],
  ['1.Kartoni i korneri', 'Kartoni i korneri'],
  ['group.1. pol.', '1. pol.'],
  ['Golovi', 'Golovi'],
  ['group.', ''],
])('of the tag %s is shown: %s', (tag, expected) => {
  expect(tagText(tag)).toBe(expected)
})

it('tags are counted in the order they come', () => {
  const markets = [{ tags: ['g.b', 'g.a'] }, { tags: ['g.a', 'g.a'] }, { tags: [] }, { tags: ['g.c'] }]
  expect(countTags(markets)).toEqual([
    { tag: 'g.b', count: 1 },
    { tag: 'g.a', count: 2 },
    { tag: 'g.c', count: 1 },
  ])
})
