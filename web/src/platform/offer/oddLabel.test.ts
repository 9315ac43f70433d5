import { expect, test } from 'vitest'
import { generalLabel, labelWithoutLine, oddLabel } from './oddLabel'

test.each([
  ['1', null, null, '1'],
  ['Više', 'over', null, 'Više'],
  ['Više', 'over', 'Više od 2.5', 'Više'],
  ['2:1', null, null, '2:1'],
  [null, 'over', 'Više od 2.5', 'over'],
  [null, null, 'Više od 2.5', 'Više od 2.5'],
])("in kvota's feed %s, %s, %s is called %s", (type, alias, description, label) => {
  const odd = { type, alias, description }
  const match = { home: 'Više', away: '1' }
  expect([oddLabel(odd), labelWithoutLine(odd), generalLabel(odd, match)]).toEqual([label, label, label])
})

test.each([
  ['2', 'x', 'draw', 'X', 'X', 'X'],
  ['3', '2', 'Osijek', '2', '2', '2'],
  ['12', 'over', 'over 2.5', 'Over', 'Over', 'Over'],
  ['12', 'over 2.5', 'over 2.5', 'over 2.5', 'Over', 'Over'],
  ['1715', 'Osijek (+1.5)', 'Osijek (+1.5)', 'Osijek (+1.5)', 'Osijek', '2'],
  ['9', 'Rijeka or draw', 'Rijeka or draw', 'Rijeka or draw', 'Rijeka or draw', '1 or draw'],
  ['sr:player:947', 'Lee Barnard', 'Lee Barnard', 'Lee Barnard', 'Lee Barnard', 'Lee Barnard'],
  ['sr:exact_goals:6+:74', '6+', '6+', '6+', '6+', '6+'],
])("a provider's %s, %s, %s is called %s, in a ladder %s, for all matches %s", (...words) => {
  const [type, alias, description, ...labels] = words
  const odd = { type, alias, description }
  const match = { home: 'Rijeka', away: 'Osijek' }
  expect([oddLabel(odd), labelWithoutLine(odd), generalLabel(odd, match)]).toEqual(labels)
  expect(generalLabel(odd, { home: null, away: null })).toBe(labels[1])
})
