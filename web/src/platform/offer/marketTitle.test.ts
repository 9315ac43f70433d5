import { expect, test } from 'vitest'
import { marketTitle, pairMarket } from './marketTitle'

test.each([
  ['Frejmovi: prvi do', '4', 'Frejmovi: prvi do 4'],
  ['Pobjednik', null, 'Pobjednik'],
  ['Pobjednik', '', 'Pobjednik'],
  [null, null, ''],
])('the market %s with the line %s is called %s', (name, sbv, title) => {
  expect(marketTitle(name, sbv)).toBe(title)
})

test.each([
  ['Hendikep', '1', '2.5', 'Hendikep +2.5'],
  ['Hendikep', '2', '-1.5', 'Hendikep -1.5'],
  ['Ukupno golova', 'Više', '2.5', 'Ukupno golova 2.5'],
  ['Tko postiže poen broj', '1', '4', 'Tko postiže poen broj 4'],
  ['Pobjednik', '1', null, 'Pobjednik'],
])('the market %s of the pair %s with the line %s is called %s', (marketName, oddName, sbv, title) => {
  expect(pairMarket({ marketName, oddName, sbv })).toBe(title)
})
