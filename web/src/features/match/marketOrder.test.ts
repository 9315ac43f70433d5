import { expect, test } from 'vitest'
import { favouritesFirst, findMarkets } from './marketOrder'

const group = (type: number, name: string) => ({ key: `${type} ${name}`, type, name, marketIds: [type] })
const GROUPS = [group(1, 'Konačni ishod'), group(18, 'Ukupno golova'), group(8, 'Sljedeći gol'), group(18, 'Ukupno')]
const names = (groups: readonly { name: string | null }[]) => groups.map(({ name }) => name)

test('favourite markets are first, and both parts keep their order', () => {
  expect(favouritesFirst(GROUPS, [])).toBe(GROUPS)
  expect(names(favouritesFirst(GROUPS, [8, 18]))).toEqual(['Ukupno golova', 'Sljedeći gol', 'Ukupno', 'Konačni ishod'])
})

test.each([
  ['', 4],
  ['  ', 4],
  ['gol', 2],
  ['SLJEDECI', 1],
  ['golova ukup', 1],
  ['следећи', 0],
  ['сљедећи гол', 1],
  ['kut', 0],
])('%j finds %i markets', (query, count) => {
  expect(findMarkets(GROUPS, query)).toHaveLength(count)
})
