import { expect, it } from 'vitest'
import { readExtras } from '../protocol/extras'
import { timeLeft } from './timeLeft'

it.each([
  ['basketball', 2, [[17, 2400]], 2208, '3:12'],
  ['American football', 16, [[17, 2700]], 2178, '8:42'],
  ['an overtime', 2, [[17, 2700]], 2401, '4:59'],
  ['a clock that has run on before the next facts', 2, [[17, 2400]], 2403, '0:00'],
  ['no end', 2, [], 2208, null],
  ['an end without a number', 2, [[17]], 2208, null],
  ['no clock', 2, [[17, 2400]], null, null],
  ['ice hockey, which counts up', 4, [[17, 3600]], 2892, null],
] as const)('the time left of the period: %s', (_, sportId, facts, seconds, expected) => {
  expect(timeLeft(sportId, readExtras(facts), seconds)).toBe(expected)
})
