import { expect, test } from 'vitest'
import { awayHandicap, isHandicap, signedHandicap } from './handicap'

test.each([
  ['0:1', ['1', 'X', '2'], true],
  ['-1', ['1', '2'], true],
  ['2.5', ['1', '2'], true],
  ['2.5', ['Manje', 'Više'], false],
  ['7', ['1', 'Nitko', '2'], false],
  ['3', ['1', '2'], false],
  ['21-30', ['Da', 'Ne'], false],
  ['sr:total:pre:2.5', ['Over', 'Under'], false],
])('the line %s of %j is a handicap: %s', (sbv, outcomes, is) => {
  expect(isHandicap(sbv, outcomes)).toBe(is)
})

test.each([
  ['2.5', '+2.5', '-2.5'],
  ['-2.5', '-2.5', '+2.5'],
  ['+0.25', '+0.25', '-0.25'],
  ['0', '0', '0'],
  ['0:1', '0:1', '0:1'],
])('the line %s is %s for the home side and %s for the away side', (sbv, home, away) => {
  expect([signedHandicap(sbv), awayHandicap(sbv)]).toEqual([home, away])
})
