import { expect, test } from 'vitest'
import { scoreGrid, scoreLayout } from '../../platform/offer/scoreLayout'
import { type RowColumns, rowColumns } from './rowColumns'

const NAME = 132
const SPORTS = [1, 2, 3, 4, 5, 6, 12, 16, 19, 20, 21, 22, 23, 29, 31, 34, 117, 999]

const columnsAt = (px: number, sportId: number, available = 3) =>
  rowColumns(px / 16, scoreLayout(sportId), available, false)

/** What a row of this width leaves for the names, in pixels, with a match that has played `played` periods. */
function nameWidth(px: number, sportId: number, columns: RowColumns, played: number): number {
  const score = scoreGrid(scoreLayout(sportId), Math.min(played, columns.periods), columns.periodWidth).width
  const tracks = columns.template.replace('minmax(0, 1fr)', '0rem').replace('var(--score-w)', `${score}rem`).split(' ')
  const taken = tracks.reduce((total, track) => total + Number.parseFloat(track), 0)
  return px - 10 - (taken + columns.gap * (tracks.length - 1)) * 16
}

test('names keep their width in every sport, at every width and however long the match is', () => {
  for (const sportId of SPORTS) {
    for (let px = 572; px <= 1400; px += 1) {
      for (const available of [2, 3]) {
        const columns = columnsAt(px, sportId, available)
        const [, most] = scoreLayout(sportId).periods
        const width = nameWidth(px, sportId, columns, most)
        expect(width, `sport ${sportId} in a list of ${px} px`).toBeGreaterThanOrEqual(NAME - 0.1)
      }
    }
  }
})

test('on a phone of 320 px and more as well, beside at least four periods', () => {
  for (const sportId of SPORTS) {
    for (let px = 320; px < 960; px += 1) {
      const { periods, periodWidth } = rowColumns(px / 16, scoreLayout(sportId), 3, true)
      const [, most] = scoreLayout(sportId).periods
      expect(periods).toBeGreaterThanOrEqual(Math.min(most, 4))
      const score = scoreGrid(scoreLayout(sportId), Math.min(most, periods), periodWidth).width * 16
      // The edges, the star and the gaps.
      expect(px - 68 - score).toBeGreaterThanOrEqual(NAME - 0.1)
    }
  }
})

test('the usual periods of a sport always have a column', () => {
  for (const sportId of SPORTS) {
    for (let px = 572; px <= 1400; px += 1) {
      expect(columnsAt(px, sportId).periods).toBeGreaterThanOrEqual(scoreLayout(sportId).periods[0])
    }
  }
})

// Widths of the list in windows of 1024, 1280, 1366, 1440, 1600, 1680 and 1920 px.
test.each([
  ['soccer', 1, 636, 1, true, false],
  ['soccer', 1, 892, 2, true, true],
  ['soccer', 1, 782, 2, true, false],
  ['soccer', 1, 856, 2, true, true],
  ['soccer', 1, 968, 3, true, false],
  ['soccer', 1, 1048, 3, true, true],
  ['soccer', 1, 1288, 3, true, true],
  ['volleyball', 23, 636, 1, false, false],
  ['volleyball', 23, 782, 2, false, false],
  ['volleyball', 23, 856, 2, true, true],
  ['volleyball', 23, 968, 3, false, false],
  ['volleyball', 23, 1048, 3, true, true],
])('%s (%i) in a list of %i px: %i sets, time %s, hide button %s', (_, sportId, px, sets, hasTime, hasHide) => {
  expect(columnsAt(px, sportId)).toMatchObject({ sets, hasTime, hasHide })
})

test('with less and less space columns go in their order', () => {
  const seen: string[] = []
  for (let px = 1048; px >= 572; px -= 1) {
    const { sets, hasTime, hasHide } = columnsAt(px, 23)
    const columns = [`${sets}`, ...(hasTime ? ['time'] : []), ...(hasHide ? ['hide'] : [])].join(' ')
    if (columns !== seen.at(-1)) {
      seen.push(columns)
    }
  }
  expect(seen).toEqual(['3 time hide', '3 time', '3', '2 time hide', '2 time', '2', '1 time hide', '1 time', '1'])
})

test('sets of odds and hide buttons line up in all sports', () => {
  for (let px = 572; px <= 1400; px += 1) {
    const ends = SPORTS.map((sportId) => columnsAt(px, sportId).template.split('var(--score-w)')[1])
    expect(new Set(ends).size, `in a list of ${px} px`).toBe(1)
  }
})
