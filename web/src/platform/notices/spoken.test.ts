import { describe, expect, it } from 'vitest'
import type { Match } from '../../domain/offer'
import type { ToldMatch } from '../../protocol/frames'
import { aMatch, anOffer, aSport } from '../../testing/builders'
import { storeWith } from '../../testing/renderWithProviders'
import { selectMatch } from '../offer/offerSelectors'
import { leaderOf, spokenOf } from './spoken'

type Fields = Partial<ToldMatch>

function matchOf(sportId: number, fields: Fields): Match {
  const told = aMatch({ id: 1, sportId, home: 'Zadar', away: 'Cibona', ...fields })
  return selectMatch(storeWith(anOffer([aSport({ id: sportId, matches: [told] })])).getState(), 1) as Match
}

function spoken(sportId: number, before: Fields, now: Fields, lead: 0 | 1 | 2 = 0) {
  const announcement = spokenOf(matchOf(sportId, before), matchOf(sportId, { ...before, ...now }), lead)
  return announcement && [announcement.key, ...Object.values(announcement.values)].join(' ')
}

const BOTH = 'Zadar – Cibona'

describe('what is announced of a match', () => {
  it.each<[string, number, Fields, Fields, string | null]>([
    ['a goal of futsal', 29, { score: [1, 0] }, { score: [1, 1] }, `goalAnnouncement ${BOTH} 1:1`],
    ['a goal of ice hockey', 4, { score: [1, 0] }, { score: [2, 0] }, `goalAnnouncement ${BOTH} 2:0`],
    ['no corrected goal', 4, { score: [2, 0] }, { score: [1, 0] }, null],
    ['no goal of soccer: it is a message', 1, { score: [1, 0] }, { score: [2, 0] }, null],
    ['no clock', 29, { score: [1, 0] }, { clock: { kind: 'stopped', seconds: 700 } }, null],
    [
      'the end of a quarter',
      2,
      { status: 'quarter_2', score: [40, 38] },
      { status: 'half_time' },
      `spokenPart ${BOTH} 40:38`,
    ],
    ['no interrupted quarter', 2, { status: 'quarter_2', score: [40, 38] }, { status: 'interrupted' }, null],
    ['no basket', 2, { status: 'quarter_2', score: [40, 38] }, { score: [42, 38] }, null],
    ['a try', 12, { score: [7, 3] }, { score: [7, 8] }, 'spokenTry Cibona 7:8'],
    ['no kick', 12, { score: [7, 3] }, { score: [10, 3] }, null],
    ['a yellow card of rugby', 12, { yellowCards: [0, 1] }, { yellowCards: [1, 1] }, 'spokenYellowCard Zadar 0:0'],
    ['a touchdown', 16, { score: [7, 3] }, { score: [13, 3] }, 'spokenTouchdown Zadar 13:3'],
    ['a field goal', 16, { score: [7, 3] }, { score: [7, 6] }, 'spokenFieldGoal Cibona 7:6'],
    ['no extra point', 16, { score: [13, 3] }, { score: [14, 3] }, null],
    ['runs of baseball', 3, { score: [1, 0] }, { score: [1, 2] }, 'spokenRuns Cibona 1:2'],
    ['the sides that change', 3, { playerServing: 2 }, { playerServing: 1 }, 'trackerBatsName Zadar 0:0'],
    ['a frame', 19, { score: [3, 2] }, { score: [3, 3] }, 'spokenFrame Cibona 3:3'],
    ['a leg', 22, { score: [3, 2] }, { score: [4, 2] }, 'spokenLeg Zadar 4:2'],
    ['a leg of a set', 22, { score: [1, 0], scores: [[3, 1]] }, { scores: [[3, 2]] }, 'spokenLeg Cibona 3:2'],
    [
      'a set of darts',
      22,
      {
        score: [1, 0],
        scores: [
          [3, 1],
          [2, 0],
        ],
      },
      { score: [2, 0] },
      'spokenSet Zadar 2:0',
    ],
    ['180', 22, { game: ['501', '320'] }, { game: ['321', '320'] }, 'spokenMaximum Zadar 0:0'],
    ['no 140', 22, { game: ['501', '320'] }, { game: ['361', '320'] }, null],
    ['a wicket', 21, { game: ['80/2', '0/0'] }, { game: ['80/3', '0/0'] }, 'spokenWicket Zadar 80/3'],
    ['the 50 of a side', 21, { game: ['0/0', '98/2'] }, { game: ['0/0', '102/2'] }, 'spokenFifty Cibona 102/2'],
    ['no other run', 21, { game: ['0/0', '90/2'] }, { game: ['0/0', '96/2'] }, null],
    [
      'the end of an innings',
      21,
      { status: 'innings_1', game: ['173/8', '0/0'] },
      { status: 'innings_2' },
      `spokenInningsEnd ${BOTH} 173/8 – 0/0`,
    ],
    ['a round', 117, { status: 'pause', score: null }, { status: 'round_2' }, 'spokenRound 2'],
    ['the end of a round', 117, { status: 'round_2', score: null }, { status: 'pause' }, 'spokenRoundEnd 2'],
    ['the end of a fight', 117, { status: 'round_2', score: null }, { status: 'ended' }, `spokenFightEnd ${BOTH}`],
    ['nothing of another sport', 999, { score: [1, 0] }, { score: [2, 0] }, null],
  ])('%s', (_, sportId, before, now, expected) => {
    expect(spoken(sportId, before, now)).toBe(expected)
  })

  it('a change of the lead in handball, not each goal', () => {
    expect(spoken(6, { score: [10, 10] }, { score: [10, 11] }, 1)).toBe('spokenLead Cibona 10:11')
    expect(spoken(6, { score: [10, 10] }, { score: [10, 11] }, 2)).toBeNull()
    expect(spoken(6, { score: [0, 0] }, { score: [1, 0] }, 0)).toBeNull()
    expect([leaderOf(matchOf(6, { score: [3, 5] })), leaderOf(matchOf(6, { score: null }))]).toEqual([2, 0])
  })
})

describe('in tennis', () => {
  const set: Fields = { score: [0, 0], scores: [[3, 2]], game: ['30', '30'], playerServing: 1, tiebreak: false }

  it('a game with the games of its set', () => {
    expect(spoken(5, set, { scores: [[3, 3]], game: ['0', '0'], playerServing: 2 })).toBe('spokenGame Cibona 3:3')
  })

  it('a set, not its last game', () => {
    expect(spoken(5, { ...set, scores: [[5, 2]] }, { score: [1, 0], scores: [[6, 2]] })).toBe('spokenSet Zadar 1:0')
  })

  it('a break point once', () => {
    expect(spoken(5, set, { game: ['30', '40'] })).toBe('spokenBreakPoint Cibona 0:0')
    expect(spoken(5, { ...set, game: ['15', '40'] }, { game: ['30', '40'] })).toBeNull()
    expect(spoken(5, { ...set, tiebreak: true }, { game: ['3', '4'] })).toBeNull()
  })
})

describe('in rallies', () => {
  it('a set', () => {
    expect(spoken(23, { score: [1, 1], scores: [[24, 20]] }, { score: [2, 1] })).toBe('spokenSet Zadar 2:1')
  })

  it.each<[string, number, Fields['scores'], Fields['scores'], string | null]>([
    ['the first set point', 20, [[9, 8]], [[10, 8]], 'spokenSetPoint Zadar 10:8'],
    ['not the next one', 20, [[10, 8]], [[10, 9]], null],
    ['one at 11:10', 20, [[10, 10]], [[10, 11]], 'spokenSetPoint Cibona 10:11'],
    ['none at 29:29 in badminton, where both have one', 31, [[29, 28]], [[29, 29]], null],
    ['none of a set that is over', 20, [[10, 8]], [[11, 8]], null],
  ])('%s', (_, sportId, before, now, expected) => {
    expect(spoken(sportId, { scores: before ?? [] }, { scores: now ?? [] })).toBe(expected)
  })

  it('the fifth set of volleyball is to 15', () => {
    const four = Array.from({ length: 4 }, () => [25, 20] as const)
    expect(spoken(23, { scores: [...four, [13, 9]] }, { scores: [...four, [14, 9]] })).toBe('spokenSetPoint Zadar 14:9')
  })
})

it('a penalty of soccer is announced once', () => {
  const match = matchOf(1, {})
  const taken = { ...match, ball: { x: 88, y: 50, side: 2, action: 11 } } as const
  expect(spokenOf(match, taken, 0)).toMatchObject({ key: 'spokenPenalty', values: { name: 'Cibona' } })
  expect(spokenOf(taken, { ...taken, ball: { ...taken.ball, x: 89 } }, 0)).toBeNull()
})
