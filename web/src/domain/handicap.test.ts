import { expect, test } from 'vitest'
import { awayHandicap, isHandicap, lineText, type Outcome } from './handicap'

const named = (...names: readonly string[]): Outcome[] => names.map((name) => ({ type: name, name }))
const TEAMS: Outcome[] = [
  { type: '1714', name: '1' },
  { type: '1715', name: '2' },
]

test.each([
  ['0:1', named('1', 'X', '2'), true],
  ['-1', named('1', '2'), true],
  ['2.5', named('1', '2'), true],
  ['2.5', named('Manje', 'Više'), false],
  ['7', named('1', 'Nitko', '2'), false],
  ['3', named('1', '2'), false],
  ['21-30', named('Da', 'Ne'), false],
  ['sr:total:pre:2.5', named('Over', 'Under'), false],
  [null, named('1', '2'), false],
])('the line %s of %j is a handicap: %s', (sbv, outcomes, is) => {
  expect(isHandicap({ marketType: 18, sbv }, outcomes)).toBe(is)
})

test.each([
  ["kvota's handicap", 9, '1.5', named('1', '2'), '+1.5'],
  ["kvota's handicap with a whole line", 9, '1', named('1', '2'), '+1'],
  ["kvota's handicap that is level", 9, '0', named('1', '2'), '0'],
  ["kvota's handicap of sets", 23, '0.5', named('1', '2'), '+0.5'],
  ["kvota's handicap behind", 9, '-1.5', named('1', '2'), '-1.5'],
  ["kvota's handicap in goals", 8, '1:0', named('1', 'X', '2'), '1:0'],
  ["kvota's total", 18, '1.5', named('Manje', 'Više'), '1.5'],
  ['the number of a goal', 7, '4', named('1', '2'), '4'],
  ["a provider's handicap", 16, '1', TEAMS, '+1'],
  ["a provider's handicap that is level", 16, '0', TEAMS, '0'],
  ["a provider's handicap of a quarter", 303, '1.5/2', TEAMS, '+1.5/2'],
  ["a provider's handicap by full names", 16, '1', [{ type: '1', name: 'Ajax (+1)' }], '+1'],
  ["a provider's handicap behind by full names", 16, '-1.5', [{ type: '1', name: 'Ajax (-1.5)' }], '-1.5'],
  ["a provider's total", 18, '2.5', [{ type: '12', name: 'Over 2.5' }], '2.5'],
  ["a provider's goal", 9, '3', [{ type: '6', name: 'Ajax' }], '3'],
  ["a provider's variant", 21, 'sr:exact_goals:6+', [{ type: 'sr:exact_goals:6+:72', name: '2' }], ''],
  ["a provider's variant of its own", 900, 'pre:markettext:12', [{ type: '1', name: 'yes' }], ''],
  ["a provider's player with a total", 770, 'sr:player:947/1.5', [{ type: '12', name: 'over 1.5' }], '1.5'],
  ["a provider's minutes", 100, '15/29', [{ type: '74', name: 'yes' }], '15/29'],
  ['a range with letters', 21, '4+', named('Da', 'Ne'), '4+'],
  ["kvota's half-inning", 139, '▲5', named('1', '2'), '▲5'],
  ['a market without a line', 1, null, named('1', 'X', '2'), ''],
])('%s (type %d, line %s) is shown as a bettor reads it', (_, marketType, sbv, outcomes, text) => {
  expect(lineText({ marketType, sbv }, outcomes)).toBe(text)
})

test.each([
  ['2.5', '+2.5', '-2.5'],
  ['-2.5', '-2.5', '+2.5'],
  ['+0.25', '+0.25', '-0.25'],
  ['0', '0', '0'],
  ['+0', '0', '0'],
  ['-0.0', '0.0', '0.0'],
  ['0:1', '0:1', '0:1'],
])('the line %s is %s for the home side and %s for the away side', (sbv, home, away) => {
  expect([lineText({ marketType: 9, sbv }, named('1', '2')), awayHandicap(sbv)]).toEqual([home, away])
})
