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

it('the odds of each tag are counted, in the order the tags come', () => {
  const markets = [
    { tags: ['g.b', 'g.a'], oddIds: [1, 2, 3] },
    { tags: ['g.a', 'g.a'], oddIds: [4, 5] },
    { tags: [], oddIds: [6] },
    { tags: ['g.c'], oddIds: [7] },
  ]
  expect(countTags(markets)).toEqual([
    { tag: 'g.b', count: 3 },
    { tag: 'g.a', count: 5 },
    { tag: 'g.c', count: 1 },
  ])
})
