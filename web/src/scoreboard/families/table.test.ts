import { beforeEach, describe, expect, it } from 'vitest'
import hr from '../../../../config/translations/hr.json'
import type { Extras } from '../../protocol/extras'
import { aMatch } from '../../testing/builders'
import { NO_HISTORY } from '../history'
import { Page } from '../page'
import { makeTexts } from '../texts'
import type { TrackedMatch } from '../tracked'

beforeEach(() => document.body.replaceChildren())

/** The table of a match: its header row, then the cells of home and away. */
async function tableOf(changes: Partial<TrackedMatch>, extras: Extras = {}): Promise<string[]> {
  const { markets: _, ball: __, ...match } = aMatch({ home: 'Horvat', away: 'Blake', ...changes })
  const page = new Page(makeTexts(hr), { width: 530, hasTabs: true }, () => undefined)
  document.body.replaceChildren(page.root)
  const tracked = { match, ball: null, history: { ...NO_HISTORY, extras }, seen: [], detailRevision: 1 }
  page.show({ kind: 'shown', tracked, isStale: false }, 0)
  await page.loaded()
  const cells = (row: Element) =>
    [...row.querySelectorAll('th[scope=col], td')]
      .filter((cell) => !cell.matches('thead td'))
      .map((cell) => cell.querySelector('[aria-hidden]')?.textContent ?? cell.textContent)
      .join(' | ')
  const [field, statistics] = ['field', 'statistics'].map((panel) =>
    [...document.querySelectorAll(`.panel.${panel} table tr`)].map(cells),
  )
  expect(field).toEqual(statistics)
  return field ?? []
}

const classes = (row: number) =>
  [...(document.querySelectorAll('.panel.field tbody tr')[row]?.querySelectorAll('td') ?? [])].map((td) => td.className)
const names = () => [...document.querySelectorAll('.panel.field thead th')].map((th) => th.getAttribute('title'))

describe('the table of mixed martial arts', () => {
  const BOUT = { sportId: 117, score: null, scores: [], clock: { kind: 'stopped', seconds: 20 } } as const
  const control = [...Array(20).fill(1), ...Array(10).fill(0), 2, 2]

  it('has the control of each round and of all', async () => {
    expect(await tableOf({ ...BOUT, status: 'round_2' }, { control })).toEqual([
      '1 | 2 | 3 | Ukupno',
      '3:20 | 0:00 |  | 3:20',
      '0:00 | 0:20 |  | 0:20',
    ])
    expect(names()).toEqual(['Kontrola 1. runda', 'Kontrola 2. runda', 'Kontrola 3. runda', 'Kontrola'])
    expect(classes(0)).toEqual(['', 'now', '', 'sum'])
  })

  it('leaves a round empty until its control is known', async () => {
    const [, home] = await tableOf({ ...BOUT, status: 'round_2' }, { control: control.slice(0, 30) })
    expect(home).toBe('3:20 |  |  | 3:20')
  })

  it('has five rounds once the fourth begins, also between two rounds', async () => {
    const three = [...control, ...Array(58).fill(0)]
    expect((await tableOf({ ...BOUT, status: 'pause' }, { control: three }))[0]).toBe('1 | 2 | 3 | Ukupno')
    expect((await tableOf({ ...BOUT, status: 'round_4' }, { control: three }))[0]).toBe('1 | 2 | 3 | 4 | 5 | Ukupno')
  })

  it.each([
    ['of other rounds', { status: 'round_4' }, { control }],
    ['that is missing', { status: 'round_2' }, {}],
  ])('has no control %s', async (_, match, extras) => {
    expect(await tableOf({ ...BOUT, ...match }, extras)).toEqual(['Ukupno', '–', '–'])
  })

  it('keeps the control after the end', async () => {
    const [head, home] = await tableOf({ ...BOUT, status: 'ended', score: [1, 0], clock: null }, { control })
    expect([head, home]).toEqual(['1 | 2 | Ukupno', '3:20 | 0:00 | 3:20'])
  })
})

describe('the table of cricket', () => {
  const overs = (side: number, runs: readonly number[]) => runs.flatMap((run) => [side, run, 0, 0, 0])
  const FIRST = overs(1, Array(20).fill(8))
  const CHASE = {
    sportId: 21,
    status: 'innings_2',
    score: [160, 8],
    scores: [
      [160, 0],
      [0, 8],
    ],
    game: ['160/0', '8/0'],
    playerServing: 2,
    clock: { kind: 'text', text: '1.2' },
  } as const

  it('has the overs and the rate of both sides', async () => {
    expect(await tableOf(CHASE, { overs: [...FIRST, ...overs(2, [4, 4])] })).toEqual([
      'Trke | Vratašca | Overi | Po overu',
      '160 | 0 | 20 | 8.00',
      '8 | 0 | 1.2 | 6.00',
    ])
    expect(names().at(-1)).toBe('Trke po overu')
  })

  it('has no overs of a side that may have been out within one', async () => {
    const out = [...overs(1, Array(18).fill(8)), 1, 8, 5, 0, 0, 1, 8, 5, 0, 0]
    const [, home] = await tableOf({ ...CHASE, game: ['160/10', '8/0'] }, { overs: [...out, ...overs(2, [4, 4])] })
    expect(home).toBe('160 | 10 |  | ')
  })

  it('has no overs of a side that won within one', async () => {
    const end = { ...CHASE, status: 'ended', playerServing: null, clock: null } as const
    const facts = (last: number) => ({ overs: [...FIRST, ...overs(2, [...Array(19).fill(8), last])] })
    expect((await tableOf({ ...end, game: ['160/0', '161/0'] }, facts(9)))[2]).toBe('161 | 0 |  | ')
    expect((await tableOf({ ...end, game: ['160/0', '158/0'] }, facts(6)))[2]).toBe('158 | 0 | 20 | 7.90')
  })

  it('is the usual one without facts', async () => {
    expect((await tableOf(CHASE))[0]).toBe('Vratašca | Overi | Trke')
  })
})

describe('the table of darts', () => {
  const MATCH = { sportId: 22, status: 'leg_4', score: [2, 1], scores: [], game: ['501', '501'] } as const
  const visits = [1, 180, 321, 2, 60, 441, 1, 180, 141, 2, 41, 400, 1, 141, 0, 2, 141, 0, 1, 141, 0, 1, 60, 441]

  it('has a dot for each leg that was won', async () => {
    expect(await tableOf(MATCH, { visits })).toEqual(['1 | 2 | 3 | 4 | Legovi', '1 |  | 1 |  | 2', ' | 1 |  |  | 1'])
    expect([classes(0), classes(1)]).toEqual([
      ['dot home', '', 'dot home', '', 'sum'],
      ['', 'dot away', '', '', 'sum'],
    ])
    expect(names()).toEqual(['1. leg', '2. leg', '3. leg', '4. leg', null])
  })

  it('leaves legs before the first visit empty', async () => {
    expect((await tableOf({ ...MATCH, score: [4, 3] }, { visits })).slice(0, 2)).toEqual([
      '1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | Legovi',
      ' |  |  |  | 1 |  | 1 |  | 4',
    ])
  })

  it('has no dots that do not fit the score', async () => {
    expect(await tableOf({ ...MATCH, score: [1, 2] }, { visits })).toEqual(['Legovi', '1', '2'])
    expect(await tableOf(MATCH)).toEqual(['Legovi', '2', '1'])
  })

  it('has the legs of each set as numbers', async () => {
    const sets = {
      scores: [
        [1, 3],
        [2, 1],
      ],
      score: [0, 1],
      status: 'set_2',
    } as const
    expect(await tableOf({ ...MATCH, ...sets }, { visits })).toEqual(['1 | 2 | Setovi', '1 | 2 | 0', '3 | 1 | 1'])
  })
})

describe('the sets to come', () => {
  const SET = [11, 5] as const
  const heads = async (sportId: number, played: number, score: readonly [number, number], status?: string) => {
    const scores = Array<readonly [number, number]>(played).fill(SET)
    return (await tableOf({ sportId, scores, score, game: null, status: status ?? `set_${played}` }))[0]
  }

  it.each([
    ['tennis', 5, 1, [0, 0], '1 | 2 | 3'],
    ['tennis, after two sets of one side', 5, 3, [2, 0], '1 | 2 | 3 | 4 | 5'],
    ['tennis, in the fourth set', 5, 4, [2, 1], '1 | 2 | 3 | 4 | 5'],
    ['table tennis', 20, 4, [2, 1], '1 | 2 | 3 | 4 | 5'],
    ['table tennis, after three sets of one side', 20, 4, [3, 0], '1 | 2 | 3 | 4 | 5 | 6 | 7'],
    ['volleyball', 23, 1, [0, 0], '1 | 2 | 3 | 4 | 5'],
    ['badminton', 31, 2, [1, 0], '1 | 2 | 3'],
    ['beach volleyball', 34, 2, [1, 0], '1 | 2 | 3'],
    ['squash', 37, 3, [1, 1], '1 | 2 | 3 | 4 | 5'],
  ] as const)('have empty columns: %s', async (_, sportId, played, score, expected) => {
    expect(await heads(sportId, played, score)).toBe(`${expected} | Setovi`)
  })

  it('have no columns after the end', async () => {
    expect(await heads(23, 3, [3, 0], 'ended')).toBe('1 | 2 | 3 | Setovi')
  })
})
