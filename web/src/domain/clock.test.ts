import { describe, expect, it } from 'vitest'
import { clockSeconds, clockText, exactClockText, readClock, timeLeftText } from './clock'
import type { Clock } from './offer'

const NOW = 1_700_000_000_000
const running = (seconds: number): Clock => ({ kind: 'running', zeroMs: NOW - seconds * 1000 })
const stopped = (seconds: number): Clock => ({ kind: 'stopped', seconds })

describe('a clock is written', () => {
  it.each<[sportId: number, status: string | null, clock: Clock | null, expected: string | null]>([
    [1, 'first_half', running(0), "1'"],
    [1, 'first_half', running(59), "1'"],
    [1, 'first_half', running(60), "2'"],
    [1, 'first_half', running(2699), "45'"],
    [1, 'first_half', running(2700), "45+1'"],
    [1, 'half_time', stopped(2700), "45'"],
    [1, 'second_half', running(2700), "46'"],
    [1, 'second_half', running(5399), "90'"],
    [1, 'second_half', running(5610), "90+4'"],
    [1, 'awaiting_extra_time', stopped(5400), "90'"],
    [1, 'first_extra', running(5400), "91'"],
    [1, 'first_extra', running(6310), "105+1'"],
    [1, 'extra_half_time', stopped(6300), "105'"],
    [1, 'second_extra', running(7200), "120+1'"],
    [1, 'penalties', stopped(7200), "120'"],
    [1, 'interrupted', stopped(3450), "58'"],
    [1, null, running(5610), "94'"],
    [1, 'second_half', running(-5), "1'"],
    [6, 'first_half', running(1830), "30+1'"],
    [6, 'second_half', running(2830), "48'"],
    [12, 'second_half', running(4860), "80+2'"],
    [2, 'quarter_2', running(72), '01:12'],
    [2, 'quarter_4', stopped(401), '06:41'],
    [4, 'period_3', running(3661), '61:01'],
    [29, 'first_half', running(1199), '19:59'],
    [5, 'set_3', running(7980), '2:13 h'],
    [5, 'set_1', running(59), '0:00 h'],
    [23, 'set_2', running(2400), '0:40 h'],
    [999, null, running(36_000), '10:00 h'],
    [1, 'not_started', { kind: 'text', text: '20:30' }, '20:30'],
    [1, 'ended', null, null],
  ])('sport %i, %s, %j: %s', (sportId, status, clock, expected) => {
    expect(clockText({ sportId, status, clock }, NOW)).toBe(expected)
  })
})

it.each<[sportId: number, status: string | null, clock: Clock | null, expected: string | null]>([
  [1, 'second_half', { kind: 'stopped', seconds: 4032 }, '67:12'],
  [1, 'second_half', { kind: 'stopped', seconds: 5585 }, '90+3:05'],
  [1, 'half_time', { kind: 'stopped', seconds: 2700 }, '45:00'],
  [6, 'second_half', { kind: 'stopped', seconds: 2898 }, '48:18'],
  [117, 'round_2', { kind: 'running', zeroMs: NOW - 200_999 }, '3:20'],
  [5, 'set_1', { kind: 'stopped', seconds: 7980 }, '2:13 h'],
  [21, null, { kind: 'text', text: '17.3' }, '17.3'],
  [1, null, null, null],
])('a tracker has the seconds: sport %i, %s, %j: %s', (sportId, status, clock, expected) => {
  expect(exactClockText({ sportId, status, clock }, NOW)).toBe(expected)
})

it('a reading is carried forward, unless the clock stands', () => {
  expect(clockSeconds(readClock(600, NOW, false), NOW + 61_500)).toBe(661)
  expect(clockSeconds(readClock(600, NOW, true), NOW + 61_500)).toBe(600)
  expect(clockSeconds({ kind: 'text', text: 'HT' }, NOW)).toBe(null)
})

it.each([
  ['basketball', 2, 2400, 2208, '3:12'],
  ['American football', 16, 2700, 2178, '8:42'],
  ['an overtime', 2, 2700, 2401, '4:59'],
  ['a clock that has run on before the next facts', 2, 2400, 2403, '0:00'],
  ['no end', 2, undefined, 2208, null],
  ['no clock', 2, 2400, null, null],
  ['ice hockey, which counts up', 4, 3600, 2892, null],
] as const)('the time left of the period: %s', (_, sportId, end, seconds, expected) => {
  expect(timeLeftText(sportId, end, seconds)).toBe(expected)
})
