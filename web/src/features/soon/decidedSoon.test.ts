import { describe, expect, it } from 'vitest'
import type { Clock, Match } from '../../domain/offer'
import { decidedSoon } from './decidedSoon'

type Facts = Parameters<typeof decidedSoon>[0]

const NOW = 1_700_000_000_000

function at(sportId: number, status: string | null, facts: Partial<Match> = {}): Facts {
  return { sportId, status, score: [0, 0], scores: [], clock: null, game: null, tiebreak: null, ...facts }
}

const stopped = (seconds: number): Clock => ({ kind: 'stopped', seconds })
const running = (seconds: number): Clock => ({ kind: 'running', zeroMs: NOW - seconds * 1000 })
const words = (text: string): Clock => ({ kind: 'text', text })

/** Market types, with a line where it matters: `106/6`. */
function markets(texts: string) {
  return texts.split(' ').map((text) => {
    const [type, sbv = null] = text.split('/')
    return { type: Number(type), sbv }
  })
}

function found(match: Facts, texts: string): string {
  return decidedSoon(match, markets(texts), NOW)
    .map(({ market, seconds }) => `${market.type}:${Math.round(seconds)}`)
    .join(' ')
}

type Row = [what: string, match: Facts, offered: string, expected: string]

const TABLES: Record<string, Row[]> = {
  soccer: [
    ['in the middle of a half', at(1, 'first_half', { clock: running(1300) }), '1 4 7 18 21 40', ''],
    ['near half-time', at(1, 'first_half', { clock: running(2700) }), '1 4 7 18 21 40', '4:120 21:120'],
    ['near the end', at(1, 'second_half', { clock: running(5400) }), '1 4 7 22 40', '1:240 7:240 22:240 40:240'],
    ['longer than expected', at(1, 'second_half', { clock: running(5900) }), '1', '1:20'],
    ['a winner after a draw', at(1, 'second_half', { clock: running(5400) }), '60', ''],
    ['a winner with a lead', at(1, 'second_half', { clock: running(5400), score: [1, 0] }), '60', '60:240'],
    ['at the end of extra time', at(1, 'second_extra', { clock: running(7200) }), '63 64 65 2', '63:60 64:60 65:60'],
    ['at half-time', at(1, 'half_time', { clock: stopped(2700) }), '1 5 18', ''],
    ['without a clock', at(1, 'first_half'), '4', ''],
  ],
  basketball: [
    ['the quarter', at(2, 'quarter_1', { clock: running(540) }), '110/1 110/2 111 112 60 18/150.5', '110:96 111:96'],
    ['not yet', at(2, 'quarter_2', { clock: running(700) }), '110/2 112', ''],
    ['long quarters by the clock', at(2, 'quarter_2', { clock: running(1300) }), '110/2', '110:224'],
    ['long quarters by the total', at(2, 'quarter_1', { clock: running(600) }), '110/1 18/221.5', '110:192'],
    [
      'the match',
      at(2, 'quarter_4', { clock: stopped(2340), score: [80, 78] }),
      '60 18/158.5 9 1 114',
      '60:96 18:96 9:96 1:96 114:96',
    ],
  ],
  baseball: [
    ['the inning', at(3, 'inning_7', { clock: words('▼ ●●') }), '137/7 137/8 18 60', '137:105'],
    ['with a half to come', at(3, 'inning_7', { clock: words('▲ ●●') }), '137/7', ''],
    ['the match', at(3, 'inning_9', { clock: words('▲ ●○'), score: [4, 2] }), '60 18 1', '60:210 18:210 1:210'],
    ['with the last half to come', at(3, 'inning_9', { clock: words('▲ ●●'), score: [2, 4] }), '60 18', ''],
  ],
  'ice hockey': [
    ['the period', at(4, 'period_2', { clock: running(2340) }), '73 7 1 18', '73:96'],
    ['the match', at(4, 'period_3', { clock: running(3540), score: [2, 1] }), '60 7 1 74', '60:96 7:96 1:96 74:96'],
    ['the winner after a draw', at(4, 'period_3', { clock: running(3540) }), '60 1', '1:96'],
  ],
  tennis: [
    ['the point', at(5, 'set_1', { scores: [[3, 2]], game: ['30', '40'] }), '35/34 20 100', '35:30'],
    ['the game', at(5, 'set_1', { scores: [[3, 2]], game: ['0', '40'] }), '106/6 106/7', '106:39'],
    [
      'the set',
      at(5, 'set_2', {
        scores: [
          [6, 4],
          [5, 3],
        ],
        game: ['40', '40'],
      }),
      '200 201 100 206/9',
      '200:84 201:84 206:84',
    ],
    ['a tie-break', at(5, 'set_1', { scores: [[6, 6]], game: ['5', '3'], tiebreak: true }), '106/13 100', '100:108'],
    ['before the match', at(5, 'not_started', { scores: [] }), '35/1 106/1', ''],
  ],
  handball: [
    ['the next goal, at any time', at(6, 'first_half', { clock: running(600) }), '7 4 18', '7:78'],
    ['the half', at(6, 'first_half', { clock: running(1740) }), '7 4 18', '7:72 4:72'],
    ['in the break', at(6, 'half_time', { clock: stopped(1800) }), '7 5', ''],
  ],
  rugby: [['the half', at(12, 'first_half', { clock: running(2300) }), '4 5 1', '4:120']],
  'American football': [
    ['the quarter', at(16, 'quarter_2', { clock: running(1750) }), '110/2 60 7', '110:135'],
    ['the match', at(16, 'quarter_4', { clock: running(3550), score: [7, 3] }), '60 7 1', '60:135 7:135 1:135'],
  ],
  snooker: [
    ['the frame', at(19, 'frame_6', { game: ['70', '12'] }), '1905/6 1905/7 1907/6 1901', '1905:180 1907:180'],
    ['its beginning', at(19, 'frame_6', { game: ['0', '4'] }), '1905/6', ''],
  ],
  'table tennis': [
    ['the point', at(20, 'set_1', { scores: [[2, 1]] }), '106/4 106/5', '106:14'],
    ['the set', at(20, 'set_1', { scores: [[9, 7]] }), '100 101 20', '100:50 101:50'],
    ['a set that has not begun', at(20, 'set_2', { scores: [[11, 7]] }), '206/1 200', ''],
  ],
  cricket: [
    ['the over', at(21, 'innings_1', { clock: words('11.2') }), '2106/6.5 2107/12 2107/13 2102', '2106:112 2107:112'],
    ['the innings', at(21, 'innings_1', { clock: words('19.3') }), '2102 2101', '2102:84'],
    ['the match', at(21, 'innings_2', { clock: words('19.3') }), '2103 2101', '2103:84 2101:84'],
    ['in the break', at(21, 'pause'), '2106', ''],
  ],
  darts: [
    ['the leg', at(22, 'leg_7', { game: ['268', '40'] }), '2208/7 2210/7 2201', '2208:24 2210:24'],
    ['its beginning', at(22, 'leg_1', { game: ['501', '501'] }), '2208/1', '2208:160'],
  ],
  volleyball: [
    ['the point', at(23, 'set_1', { scores: [[14, 8]] }), '106/23 100', '106:26'],
    ['the set', at(23, 'set_1', { scores: [[21, 20]] }), '100', '100:187'],
    [
      'the last set',
      at(23, 'set_5', {
        scores: [
          [25, 1],
          [1, 25],
          [25, 1],
          [1, 25],
          [13, 9],
        ],
      }),
      '500',
      '500:94',
    ],
  ],
  futsal: [['the half', at(29, 'first_half', { clock: running(1140) }), '4 7 1', '4:108']],
  badminton: [['the set', at(31, 'set_1', { scores: [[20, 18]] }), '100 106/39', '106:25 100:50']],
  'beach volleyball': [['the set', at(34, 'set_1', { scores: [[20, 18]] }), '100 106/39', '106:22 100:44']],
  squash: [['the set', at(37, 'set_1', { scores: [[9, 7]] }), '100 106/17', '106:24 100:86']],
  MMA: [['the round', at(117, 'round_2', { clock: running(240) }), '11709/2 11709/3 11701', '11709:60']],
  'another sport': [['nothing', at(999, 'first_half', { clock: running(2600) }), '1 4', '']],
}

for (const [sport, rows] of Object.entries(TABLES)) {
  describe(`decided soon in ${sport}`, () => {
    it.each(rows)('%s', (_, match, offered, expected) => {
      expect(found(match, offered)).toBe(expected)
    })
  })
}
