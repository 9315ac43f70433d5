import { describe, expect, test } from 'vitest'
import type { SportGroup } from '../../platform/offer/offerSelectors'
import { anchorsAt, findAnchor, listLayout } from './listLayout'
import { shift } from './useKeptPlace'

function group(sportId: number, ...tournaments: readonly (readonly number[])[]): SportGroup {
  return {
    sportId,
    matchCount: tournaments.flat().length,
    tournaments: tournaments.map((matchIds, place) => ({
      key: `${place}`,
      leagueId: `${place}`,
      name: `T${place}`,
      description: null,
      matchIds,
    })),
  }
}

const GROUPS = [group(1, [11, 12], [13]), group(5, [51])]

function layoutOf(input: Partial<Parameters<typeof listLayout>[0]> = {}) {
  return listLayout({ groups: GROUPS, collapsed: {}, hidden: {}, screen: 'desktop', scale: 1, ...input })
}

describe('where things stand', () => {
  test('a sport is its head, its headings and its rows', () => {
    const [soccer, tennis] = layoutOf().sports
    expect(soccer?.items.map(({ kind, top, rowIndex }) => [kind, top, rowIndex])).toEqual([
      ['tournament', 56, 1],
      ['match', 84, 2],
      ['match', 140, 3],
      ['tournament', 196, 4],
      ['match', 224, 5],
    ])
    expect(soccer?.height).toBe(280)
    expect(tennis?.top).toBe(292)
    expect(layoutOf().height).toBe(292 + 140 + 12)
  })

  test('a hidden match is a strip in its place', () => {
    const items = layoutOf({ hidden: { 11: true } }).sports[0]?.items
    expect(items?.slice(1, 3).map(({ kind, top, height }) => [kind, top, height])).toEqual([
      ['hidden', 84, 36],
      ['match', 120, 56],
    ])
  })

  test('a folded league is its heading alone', () => {
    const items = layoutOf({ folded: { 0: true } }).sports[0]?.items
    expect(items?.map(({ kind, top, rowIndex }) => [kind, top, rowIndex])).toEqual([
      ['tournament', 56, 1],
      ['tournament', 84, 2],
      ['match', 112, 3],
    ])
  })

  test('on a phone a hidden match, and a heading without a match below it, are as high as a finger', () => {
    const heightsOf = (input: Partial<Parameters<typeof listLayout>[0]>) =>
      layoutOf({ screen: 'phone', ...input }).sports[0]?.items.map(({ height }) => height)
    expect(heightsOf({ folded: { 0: true } })).toEqual([44, 28, 138])
    expect(heightsOf({ hidden: { 11: true } })).toEqual([44, 44, 138, 28, 138])
    expect(heightsOf({ hidden: { 12: true } })).toEqual([28, 138, 44, 28, 138])
  })

  test('a collapsed sport is its head alone', () => {
    expect(layoutOf({ collapsed: { 1: true } }).sports[0]).toMatchObject({ height: 56, items: [] })
  })

  test.each([
    ['phone', 1, 52 + 28 + 138],
    ['tablet', 1, 56 + 28 + 56],
    ['desktop', 2, 2 * (56 + 28 + 56)],
  ] as const)('on a %s with text of size %d a sport of one match is %d high', (screen, scale, height) => {
    expect(layoutOf({ groups: [group(5, [51])], screen, scale }).sports[0]?.height).toBe(height)
  })

  test('on a wide phone a row is lower, because its odds are beside the names', () => {
    const layout = layoutOf({ groups: [group(5, [51])], screen: 'phone', isWidePhone: true })
    expect(layout.sports[0]?.height).toBe(52 + 28 + 80)
  })
})

describe('keeping the place', () => {
  const before = layoutOf()

  test('what is at a height of the list is found again', () => {
    const [anchor] = anchorsAt(before, 130)
    expect(anchor).toEqual({ sportId: 1, key: 'm12', top: 140 })
    expect(anchor && findAnchor(layoutOf({ hidden: { 11: true } }), anchor)).toBe(120)
  })

  test('a row that goes above is made up for', () => {
    const now = layoutOf({ groups: [group(1, [12], [13]), group(5, [51])] })
    expect(shift(before, now, 100, 56)).toBe(-56)
  })

  test('a row that comes below changes nothing', () => {
    const now = layoutOf({ groups: [group(1, [11, 12], [13, 14]), group(5, [51])] })
    expect(shift(before, now, 100, 56)).toBe(0)
  })

  test('when the row at the line goes, the next one stays where it is', () => {
    const now = layoutOf({ groups: [group(1, [11], [13]), group(5, [51])] })
    // The line is above match 12; the heading after it moves up by its height.
    expect(shift(before, now, 84, 56)).toBe(-56)
  })

  test('a sport collapsed by its head keeps the head where it sticks', () => {
    const now = layoutOf({ collapsed: { 1: true } })
    expect(shift(before, now, 200, 56)).toBe(-200)
  })
})
